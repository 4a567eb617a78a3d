"""A genuine transaction: what DFlow's order endpoint answered on 2026-08-22 for 0.1 SOL to USDC, paid by a sponsor.

Nobody has signed it. Source: github.com/tantshirt/MYTAB, tests/fixtures/dflow-order-mainnet.json, commit 17bab64.
"""

from base64 import b64decode

from rhumbline.domain.svm import LookupTable

ORDER = b64decode(
    "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAIAAwjChLm/AELS8TrcfoL9f/22"
    "idNyEN6/ho/kuaPFeVMiajOdRrEdQ8X8N8yNOSweXwMY195WBUWkQd1S0BoesTTjLkl/CqAx07u+WkEWekOJWZfMgQj0GgkMuPXE"
    "1GSyECJX6o7qyDsDX3Ya16w5GTt5yHLHHGBQ3ZInQSQElJEOVGyuYxzGduDwP6LtFgjbE8ISyGyEuHn2gl9hwImqb0hbAwZGb+Uh"
    "FzL/7K26csOb57yM5bvF9xJrLEObOkAAAACmxWnVSv0s+IUBBbjNgK++VOHDAF50QQYr0SL3+b5G1LXjShTivHNIaQ7h9a9d7tZV"
    "OECjbaq4YLBQYHO9wDwQaihEV8zUuyrWHHo8bdmevaemVvQcOfzaZiXiygu1L/4DBQAFAkANAwAFAAkDdAAAAAAAAAAHGQ4RCwEC"
    "BhMQBwcNDwcHAAQMEgEJCggEAxN5qKwYTcWch2UEAAAAJYbxdCQ3xszfybed4vp6xciSnNLW3a5a28OdurljjSBPQivBXI/S3xqw"
    "MekcL0wnL9Iwnnr8N/Gr3NfoPBgp6Q+HvUcaAAAwXgAAAAAyMwDh9QUAAAAAKADh9QUAAAAAg5qAjQAAAAAAFAAAAAKt7To9WFIJ"
    "soGcYmKWZ2VPx8dtuM6GfCsNckXGKU3QwgAJALkBBQYLByy6dPyM7Kb37/Wc4H2jlDqEZXRh+EFPU2pJ8bJA0RYiomsDEgoRAA=="
)
TABLES = (
    LookupTable(
        "ChwLYPANEA7zZg5qCZtTig61dFWRKLkUW7TxMRPgfibj",
        {
            0: "11111111111111111111111111111111",
            1: "Sysvar1nstructions1111111111111111111111111",
            5: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
            6: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
            7: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
            11: "8xeaWCsJYxRoudEZGJWURdfrtFhLYZz9b4iHJnW5tb3d",
            44: "BiSoNHVpsVZW2F7rx2eQ59yQwKxzU5NvBcmKshCSUypi",
            185: "So11111111111111111111111111111111111111112",
            186: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
        },
    ),
    LookupTable(
        "8sfehAX22hJh9tk4c19Jmni8yMJYK7M7XfoWAGzBNstE",
        {
            10: "8FnX3xo2yYw3EUE6w3nQA4GfXGS9wpK6oj3veJpbFzLo",
            17: "ATRsNGv2nDw7hSMfkUTBoVUDsFDwN7po7KbecyiGWNB4",
            18: "2Y7HATmn9aJBcxCskE5V2U2epmjvkZmB51zTJBbhj4cU",
        },
    ),
)
