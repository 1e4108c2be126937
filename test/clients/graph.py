"""DataHubGraph: reads of entities and aspects, and the operations of GraphQL."""

import requests
from datahub.emitter.mce_builder import make_dataset_urn
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.ingestion.graph.client import DataHubGraph, get_default_graph
from datahub.ingestion.graph.config import DatahubClientConfig
from datahub.metadata.schema_classes import (
    DatasetPropertiesClass,
    NumberTypeClass,
    OtherSchemaClass,
    OwnershipClass,
    SchemaFieldClass,
    SchemaFieldDataTypeClass,
    SchemaMetadataClass,
    StatusClass,
    StringTypeClass,
)

from checks import SERVER, TOKEN, check, expect_refusal, run_checks

graph = DataHubGraph(DatahubClientConfig(server=SERVER, token=TOKEN))
orders = make_dataset_urn("hive", "graph.orders")
other = make_dataset_urn("hive", "graph.other")
nowhere = make_dataset_urn("hive", "graph.nowhere")
rate_of_return = "urn:li:glossaryTerm:rateofreturn"
email = "[version=2.0].[type=struct].[type=string].email"

schema = SchemaMetadataClass(
    schemaName="orders",
    platform="urn:li:dataPlatform:hive",
    version=0,
    hash="",
    platformSchema=OtherSchemaClass(rawSchema=""),
    fields=[
        SchemaFieldClass("id", SchemaFieldDataTypeClass(NumberTypeClass()), "int", description="the key"),
        SchemaFieldClass(email, SchemaFieldDataTypeClass(StringTypeClass()), "string"),
    ],
)
for urn in (orders, other):
    for aspect in (DatasetPropertiesClass(description="One row per order"), schema, StatusClass(removed=False)):
        graph.emit(MetadataChangeProposalWrapper(entityUrn=urn, aspect=aspect))


def ask(query, **variables):
    return graph.execute_graphql(query, variables=variables)


def terms_of(urn):
    query = """query terms($urn: String!) {
      dataset(urn: $urn) { glossaryTerms { terms { term { urn glossaryTermInfo { name description } } } } }
    }"""
    found = ask(query, urn=urn)["dataset"]["glossaryTerms"]
    return [] if found is None else [association["term"] for association in found["terms"]]


def columns_of(urn):
    query = """query columns($urn: String!) { dataset(urn: $urn) { schemaMetadata { fields {
      fieldPath description glossaryTerms { terms { term { urn } } } } } } }"""
    return {field["fieldPath"]: field for field in ask(query, urn=urn)["dataset"]["schemaMetadata"]["fields"]}


@check("get_default_graph finds server and token in the environment")
def default_graph():
    with get_default_graph() as found:
        assert found.exists(orders)


@check("get_aspect, exists, get_entity_raw and get_entity_semityped read what was written")
def reads():
    assert graph.get_aspect(orders, DatasetPropertiesClass).description == "One row per order"
    assert graph.get_aspect(orders, OwnershipClass) is None
    assert graph.exists(orders) and not graph.exists(nowhere)
    raw = graph.get_entity_raw(orders, ["status", "schemaMetadata"])
    assert raw["urn"] == orders and set(raw["aspects"]) == {"datasetKey", "status", "schemaMetadata"}
    typed = graph.get_entity_semityped(orders)
    assert typed["schemaMetadata"] == graph.get_schema_metadata(orders)
    assert [field.fieldPath for field in graph.get_schema_metadata(orders).fields] == ["id", email]
    assert len(graph.get_entity_as_mcps(orders)) >= 4


@check("get_aspect reads an earlier version")
def versions():
    for text in ("first", "second"):
        aspect = DatasetPropertiesClass(description=text)
        graph.emit(MetadataChangeProposalWrapper(entityUrn=other, aspect=aspect))
    assert graph.get_aspect(other, DatasetPropertiesClass, version=1).description == "One row per order"
    assert graph.get_aspect(other, DatasetPropertiesClass, version=2).description == "first"
    assert graph.get_aspect(other, DatasetPropertiesClass).description == "second"


@check("a term is created, attached to a dataset and its column, read, and removed again")
def terms():
    create = "mutation create($input: CreateGlossaryEntityInput!) { createGlossaryTerm(input: $input) }"
    created = {"name": "Rate of Return", "id": "rateofreturn", "description": "How much comes back"}
    assert ask(create, input=created) == {"createGlossaryTerm": rate_of_return}
    add = "mutation add($input: AddTermsInput!) { addTerms(input: $input) }"
    column = {"subResourceType": "DATASET_FIELD", "subResource": "email"}
    for urn in (orders, other):
        assert ask(add, input={"termUrns": [rate_of_return], "resourceUrn": urn}) == {"addTerms": True}
    ask(add, input={"termUrns": [rate_of_return], "resourceUrn": orders, **column})
    info = {"name": "Rate of Return", "description": "How much comes back"}
    assert terms_of(orders) == [{"urn": rate_of_return, "glossaryTermInfo": info}]
    assert columns_of(orders)[email]["glossaryTerms"]["terms"] == [{"term": {"urn": rate_of_return}}]
    remove = "mutation remove($input: TermAssociationInput!) { removeTerm(input: $input) }"
    assert ask(remove, input={"termUrn": rate_of_return, "resourceUrn": orders, **column}) == {"removeTerm": True}
    assert not (columns_of(orders)[email]["glossaryTerms"] or {}).get("terms")
    batch = "mutation remove($input: BatchRemoveTermsInput!) { batchRemoveTerms(input: $input) }"
    both = [{"resourceUrn": orders}, {"resourceUrn": other}]
    assert ask(batch, input={"termUrns": [rate_of_return], "resources": both}) == {"batchRemoveTerms": True}
    assert terms_of(orders) == [] and terms_of(other) == []


@check("descriptions of a dataset and a column, and a link, are written and read")
def descriptions():
    text = "## Orders\n\n- **one** row per order\n"
    update = """mutation update($urn: String!, $input: DatasetUpdateInput!) {
      updateDataset(urn: $urn, input: $input) { urn } }"""
    link = {"author": "urn:li:corpuser:datahub", "url": "https://example.com/orders", "description": "Wiki"}
    written = {"editableProperties": {"description": text}, "institutionalMemory": {"elements": link}}
    assert ask(update, urn=orders, input=written) == {"updateDataset": {"urn": orders}}
    read = """query read($urn: String!) { dataset(urn: $urn) {
      properties { description } editableProperties { description } institutionalMemory { elements { url } } } }"""
    assert ask(read, urn=orders)["dataset"] == {
        "properties": {"description": "One row per order"},
        "editableProperties": {"description": text},
        "institutionalMemory": {"elements": [{"url": "https://example.com/orders"}]},
    }
    describe = "mutation describe($input: DescriptionUpdateInput!) { updateDescription(input: $input) }"
    column = {"resourceUrn": orders, "subResourceType": "DATASET_FIELD", "subResource": "id"}
    assert ask(describe, input={"description": text, **column}) == {"updateDescription": True}
    assert columns_of(orders)["id"]["description"] == text


@check("a term or dataset that does not exist is a GraphError that names it")
def refusals():
    add = "mutation add($input: AddTermsInput!) { addTerms(input: $input) }"
    absent = "urn:li:glossaryTerm:absent"
    expect_refusal(lambda: ask(add, input={"termUrns": [absent], "resourceUrn": orders}), absent)
    expect_refusal(lambda: ask(add, input={"termUrns": [rate_of_return], "resourceUrn": nowhere}), nowhere)


@check("metadata tests are evaluated")
def evaluate():
    answer = requests.post(
        f"{SERVER}/gms/test?action=evaluate",
        json={"urn": orders, "shouldPush": True},
        headers={"Authorization": f"Bearer {TOKEN}"},
        timeout=30,
    )
    assert set(answer.json()["value"]) == {"passing", "failing"}, answer.text


@check("soft_delete_entity marks, and hard_delete_entity deletes and counts")
def delete():
    graph.soft_delete_entity(other)
    assert graph.get_aspect(other, StatusClass).removed and graph.exists(other)
    versioned, timeseries = graph.hard_delete_entity(other)
    assert versioned >= 3 and timeseries == 0
    assert not graph.exists(other)


run_checks()
