"""DataHubClient, the newer Python SDK. Postil's version makes it write through rest.li."""

import datahub.sdk as sdk
from datahub.metadata.urns import CorpUserUrn, DatasetUrn, GlossaryTermUrn, TagUrn

from checks import SERVER, TOKEN, check, expect_refusal, run_checks

client = sdk.DataHubClient(server=SERVER, token=TOKEN)
urn = DatasetUrn("snowflake", "sdk.orders", "PROD")
node = "urn:li:glossaryNode:sdk"
term = "urn:li:glossaryTerm:sdk.order"


@check("a term below a node is created and read")
def glossary():
    client.test_connection()
    client.entities.upsert(sdk.GlossaryNode(id="sdk", display_name="SDK", definition="Terms of the SDK"))
    new = sdk.GlossaryTerm(id="sdk.order", display_name="Order", definition="An order", parent_node=node)
    client.entities.upsert(new)
    read = client.entities.get(term)
    assert (read.display_name, read.definition, str(read.parent_node)) == ("Order", "An order", node)


@check("a dataset with columns, term, tag, owner and link is written and read back")
def dataset():
    client.entities.create(
        sdk.Dataset(
            platform="snowflake",
            name="sdk.orders",
            description="One row per order",
            schema=[("id", "int", "the key"), ("email", "varchar", "where to write to")],
            subtype="Table",
            terms=[GlossaryTermUrn.from_string(term)],
            tags=[TagUrn("pii")],
            owners=[CorpUserUrn("ana")],
            links=[("https://example.com/orders", "Wiki")],
            custom_properties={"team": "sales"},
        )
    )
    read = client.entities.get(urn)
    assert read.description == "One row per order"
    assert [(field.field_path, field.description) for field in read.schema] == [
        ("id", "the key"),
        ("email", "where to write to"),
    ]
    assert [association.urn for association in read.terms] == [term]
    assert [association.tag for association in read.tags] == ["urn:li:tag:pii"]
    assert [owner.owner for owner in read.owners] == ["urn:li:corpuser:ana"]
    assert [link.url for link in read.links] == ["https://example.com/orders"]
    assert read.custom_properties == {"team": "sales"} and read.subtype == "Table"


@check("columns are described and given terms, and the dataset another description and link")
def update():
    read = client.entities.get(urn)
    read["id"].set_description("the *key*")
    read["email"].set_terms([GlossaryTermUrn.from_string(term)])
    read.set_description("One row per order, for ever")
    read.add_link(("https://example.com/more", "More"))
    client.entities.update(read)
    again = client.entities.get(urn)
    assert again.description == "One row per order, for ever"
    assert again["id"].description == "the *key*"
    assert [association.urn for association in again["email"].terms] == [term]
    assert len(again.links) == 2


@check("other entities are written and read: flow, job, chart, dashboard, tag")
def others():
    flow = sdk.DataFlow(platform="airflow", name="nightly")
    for entity in (
        flow,
        sdk.DataJob(flow=flow, name="load"),
        sdk.Chart(platform="looker", name="sales", display_name="Sales", description="per day"),
        sdk.Dashboard(platform="looker", name="board", display_name="Board", description="all"),
        sdk.Tag(name="pii"),
    ):
        client.entities.upsert(entity)
        assert str(client.entities.get(entity.urn).urn) == str(entity.urn)


@check("what exists is not created again, and what does not is not found")
def refusals():
    expect_refusal(lambda: client.entities.create(sdk.Dataset(platform="snowflake", name="sdk.orders")), "exists")
    expect_refusal(lambda: client.entities.get(DatasetUrn("snowflake", "sdk.nowhere", "PROD")), "not found")


run_checks()
