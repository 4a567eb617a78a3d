from tests.api.conftest import Client
from tests.api.harbour import *
async def test_all(client: Client, desk: Desk) -> None:
    for p in ["/health","/v1/health","/health/live","/health/ready","/v1/chains","/v1/token?chain=1&token=usdc","/v1/tokens","/v1/tools","/v1/tokenlists/1.json","/docs","/nope","/v1/transactions"]:
        a=await client.ask(p); print(p,a.status,a.text[:600], dict(a.headers)); 
    a=await client.ask("/v1/quotes",{"senderAddress":WALLET,"originChainId":"1","destinationChainId":"1","amount":"1000000","originCurrency":USDC.lower(),"destinationCurrency":USDT}); print(a.text)
    a=await client.ask("/v1/quotes",{}); print(a.text)
    a=await client.ask("/v1/transactions",headers={"x-api-key":KEY}); print(a.text)
    a=await client.ask("/openapi.json"); print(a.text[:6000])
    print(await client.ask("/v1/quotes",method="HEAD")); print(await client.ask("/v1/quotes",method="OPTIONS",headers={"Origin":"x","access-control-request-method":"GET"})); print(await client.ask("/v1/quotes",method="POST"))
