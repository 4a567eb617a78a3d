"""The form of the lines that embed the element: what becomes an attribute, and what is a fault."""

import pytest
from starlette.datastructures import QueryParams

from rhumbline.api.pages.embed_form import DEFAULT_ACCENT, Wanted, read_wanted


def read(query: str, integrator: str | None = None) -> Wanted:
    return read_wanted(QueryParams(query), (1, 8453), integrator)


def test_every_field_becomes_an_attribute_in_order() -> None:
    wanted = read(
        "integrator=acme&chain=8453&chain=77&fee=0.25&from=1:USDC&to=8453:ETH&amount=12.5&locked=to&locked=amount"
        "&receiver=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&tools=ONCHAIN+ACROSS&layout=wide&font=Inter,+serif"
        "&heading-font=Georgia&accent=%236b3fa0&api=https://yours.example/rhumbline"
    )
    assert wanted.faults == {}
    assert wanted.attributes == (
        ("integrator", "acme"),
        ("chains", "8453"),
        ("api", "https://yours.example/rhumbline"),
        ("fee", "0.0025"),
        ("from", "1:USDC"),
        ("to", "8453:ETH"),
        ("amount", "12.5"),
        ("receiver", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
        ("locked", "to"),
        ("tools", "ONCHAIN ACROSS"),
        ("layout", "wide"),
        ("font", "Inter, serif"),
        ("heading-font", "Georgia"),
    )
    assert wanted.accent == "#6b3fa0"


def test_nothing_is_written_of_an_empty_form() -> None:
    assert (read("").attributes, read("").accent, read(f"accent=%23{DEFAULT_ACCENT[1:]}").accent) == ((), "", "")
    assert read("integrator=Other", "Own").attributes == (("integrator", "Own"),)


@pytest.mark.parametrize(
    "field",
    [
        "from=USDC",
        "to=1:",
        "amount=1,5",
        "amount=١",
        "receiver=bob.eth",
        "tools=<b>",
        "layout=huge",
        "font=a;b",
        "integrator=a+b",
    ],
)
def test_what_is_not_as_it_should_be_is_a_fault_and_left_out(field: str) -> None:
    name = field.partition("=")[0]
    wanted = read(field)
    assert list(wanted.faults) == [name]
    assert wanted.attributes == ()


def test_a_colour_that_is_none_is_not_written() -> None:
    wanted = read("accent=red;}body{display:none")
    assert (list(wanted.faults), wanted.accent) == (["accent"], "")
