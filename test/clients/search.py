"""What DataHubGraph, DataHubClient and the circuit breakers find: search, lineage, and everyday metadata."""

import time

import datahub.sdk as sdk
from datahub.api.circuit_breaker import (
    AssertionCircuitBreaker,
    AssertionCircuitBreakerConfig,
    OperationCircuitBreaker,
    OperationCircuitBreakerConfig,
)
from datahub.api.entities.corpgroup.corpgroup import CorpGroup
from datahub.api.entities.corpuser.corpuser import CorpUser
from datahub.api.entities.structuredproperties.structuredproperties import StructuredProperties
from datahub.api.graphql import Assertion, Operation
from datahub.emitter.mce_builder import make_dataset_urn, make_schema_field_urn
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.ingestion.graph.filters import RemovedStatusFilter
from datahub.ingestion.graph.openapi import RelationshipDirection
from datahub.metadata.schema_classes import (
    AssertionInfoClass,
    AssertionResultClass,
    AssertionResultTypeClass,
    AssertionRunEventClass,
    AssertionRunStatusClass,
    AssertionTypeClass,
    BrowsePathEntryClass,
    BrowsePathsV2Class,
    ContainerPropertiesClass,
    CustomAssertionInfoClass,
    DataProductPropertiesClass,
    DatasetPropertiesClass,
    DomainPropertiesClass,
    DomainsClass,
    OperationClass,
    OperationTypeClass,
    PropertyValueClass,
    StatusClass,
    StructuredPropertyDefinitionClass,
    SubTypesClass,
)
from datahub.sdk import FilterDsl as F

from checks import SERVER, TOKEN, check, run_checks

client = sdk.DataHubClient(server=SERVER, token=TOKEN)
graph = client._graph
raw, clean, report, staging, removed = names = [
    make_dataset_urn("duckdb", f"finds.{name}", "DEV" if name == "staging" else "PROD")
    for name in ("raw", "clean", "report", "staging", "removed")
]
container = "urn:li:container:finds"
domain = "urn:li:domain:finds"
tag = "urn:li:tag:finds"
term = "urn:li:glossaryTerm:finds"
owner = "urn:li:corpuser:finds"
now = int(time.time() * 1000)


def put(urn, *aspects):
    for aspect in aspects:
        graph.emit(MetadataChangeProposalWrapper(entityUrn=urn, aspect=aspect))


put(domain, DomainPropertiesClass(name="Finds"))
put(container, ContainerPropertiesClass(name="Finds"))
client.entities.upsert(sdk.Tag(name="finds"))
client.entities.upsert(sdk.GlossaryTerm(id="finds", display_name="Found thing", definition="What is found"))
for urn in names:
    name = urn.split(",")[1].split(".")[1]
    put(urn, DatasetPropertiesClass(name=name, description="A lantern", customProperties={"team": name}))
    client.entities.upsert(
        sdk.Dataset(
            platform="duckdb",
            name=f"finds.{name}",
            display_name=name,
            description="A lantern",
            env="DEV" if name == "staging" else "PROD",
            subtype="Table",
            schema=[("id", "int"), ("total", "int")],
            custom_properties={"team": name},
            tags=[tag] if name == "raw" else [],
            terms=[term] if name == "clean" else [],
            owners=[owner] if name == "report" else [],
        )
    )
put(raw, DomainsClass(domains=[domain]), BrowsePathsV2Class(path=[BrowsePathEntryClass(id=container, urn=container)]))
put(removed, StatusClass(removed=True))


def found(**wanted):
    return set(graph.get_urns_by_filter(platform="duckdb", **wanted))


def searched(filter, query=None):
    return {str(urn) for urn in client.search.get_urns(query=query, filter=F.and_(F.platform("duckdb"), filter))}


@check("get_urns_by_filter finds by type, platform, environment, text, container and filters, page after page")
def urns_by_filter():
    assert found() == found(batch_size=1) == {raw, clean, report, staging}
    assert found(entity_types=["dataset"]) == found() and found(entity_types=["dashboard"]) == set()
    assert found(env="DEV") == {staging} and found(query="lantern", env="PROD") == {raw, clean, report}
    assert found(query="repo") == {report} and found(container=container) == {raw}
    criterion = {"field": "customProperties", "values": ["team=clean"], "condition": "EQUAL"}
    assert found(extraFilters=[criterion]) == {clean}
    assert found(extra_or_filters=[{"and": [criterion]}, {"and": [{**criterion, "values": ["team=raw"]}]}]) == {raw, clean}


@check("get_urns_by_filter finds what is soft-deleted when it is asked to")
def soft_deleted():
    assert found(status=RemovedStatusFilter.ONLY_SOFT_DELETED) == {removed}
    assert found(status=RemovedStatusFilter.ALL) == set(names)


@check("get_results_by_filter gives entities, and what is written is found at once")
def results():
    entities = [each["entity"]["urn"] for each in graph.get_results_by_filter(platform="duckdb", query="report")]
    assert entities == [report]
    put(staging, DatasetPropertiesClass(name="staging", description="An umbrella", customProperties={"team": "staging"}))
    assert found(query="umbrella") == {staging}


@check("search.get_urns takes every filter of the SDK")
def sdk_filters():
    assert searched(F.entity_type("dataset")) == {raw, clean, report, staging}
    assert searched(F.env("DEV")) == {staging} and searched(F.entity_subtype("Table"), "umbrella") == {staging}
    assert searched(F.domain(domain)) == searched(F.container(container)) == searched(F.tag(tag)) == {raw}
    assert searched(F.glossary_term(term)) == {clean} and searched(F.owner(owner)) == {report}
    assert searched(F.has_custom_property("team", "clean")) == {clean}
    assert searched(F.custom_filter("urn", "EQUAL", [raw, clean])) == {raw, clean}
    assert searched(F.or_(F.tag(tag), F.glossary_term(term))) == {raw, clean}
    assert searched(F.not_(F.tag(tag))) == {clean, report, staging}
    assert searched(F.soft_deleted("ONLY_SOFT_DELETED")) == {removed}


@check("resolve finds a term and a user by name")
def resolve():
    CorpUser(id="finds", display_name="Fin Ds", full_name="Fin Ds", email="finds@example.com").emit(graph)
    assert str(client.resolve.term(name="Found thing")) == term
    assert str(client.resolve.user(name="Fin Ds")) == str(client.resolve.user(email="finds@example.com")) == owner


@check("domains and data products are found by name, containers by their properties")
def by_name():
    assert graph.get_domain_urn_by_name("Finds") == str(client.resolve.domain(name="Finds")) == domain
    assert graph.get_domain_urn_by_name("Find") is None
    product = "urn:li:dataProduct:finds"
    put(product, DataProductPropertiesClass(name="Finds, sold"))
    assert graph.get_data_product_urn_by_name("Finds, sold") == product
    schema = "urn:li:container:finds_schema"
    put(schema, ContainerPropertiesClass(name="s", customProperties={"instance": "FINDS"}), SubTypesClass(["Schema"]))
    assert list(graph.get_container_urns_by_filter(env="FINDS")) == [schema]
    assert list(graph.get_container_urns_by_filter(env="NOWHERE")) == []
    assert graph.get_search_results(entity="container")["value"]["numEntities"] >= 2


@check("get_related_entities follows relationships both ways")
def related():
    def ends(urn, types, direction):
        found = graph.get_related_entities(urn, types, direction)
        return {(each.relationship_type, each.urn) for each in found}

    outgoing, incoming = RelationshipDirection.OUTGOING, RelationshipDirection.INCOMING
    assert ends(raw, ["TaggedWith", "AssociatedWith"], outgoing) == {("TaggedWith", tag), ("AssociatedWith", domain)}
    assert ends(domain, ["AssociatedWith"], incoming) == {("AssociatedWith", raw)}
    assert ends(raw, ["IsPartOf"], outgoing) == set()


@check("lineage is written and followed both ways, over several hops, filtered, and along a column")
def lineage():
    client.lineage.add_lineage(upstream=raw, downstream=clean, column_lineage={"total": ["total"]})
    client.lineage.add_lineage(upstream=clean, downstream=report, column_lineage={"total": ["total"]})
    follow = client.lineage.get_lineage

    def hops(results):
        return [(result.urn, result.hops) for result in results]

    assert hops(follow(source_urn=raw, direction="downstream")) == [(clean, 1)]
    assert hops(follow(source_urn=raw, direction="downstream", max_hops=3)) == [(clean, 1), (report, 2)]
    assert hops(follow(source_urn=report, max_hops=2)) == [(clean, 1), (raw, 2)]
    assert hops(follow(source_urn=report, max_hops=2, filter=F.tag(tag))) == [(raw, 2)]
    assert follow(source_urn=report)[0].platform == "duckdb"
    (column,) = follow(source_urn=clean, source_column="total", direction="downstream")
    assert column.urn == make_schema_field_urn(report, "total")
    assert [step.entity_name for step in column.paths] == ["finds.clean", "finds.report"]
    assert {step.column_name for step in column.paths} == {"total"}


@check("get_tags, get_ownership, get_domain and get_glossary_terms read what people attach")
def attached():
    assert [each.tag for each in graph.get_tags(raw).tags] == [tag]
    assert graph.get_tags(container) is None
    assert [each.owner for each in graph.get_ownership(report).owners] == [owner]
    assert graph.get_domain(raw).domains == [domain]
    assert [each.urn for each in graph.get_glossary_terms(clean).terms] == [term]


@check("create_tag makes a tag, and remove_tag takes one off")
def tags():
    assert graph.create_tag("finds-later") == "urn:li:tag:finds-later"
    assert graph.exists("urn:li:tag:finds-later")
    assert graph.remove_tag(tag, raw)
    assert graph.get_tags(raw).tags == [] and searched(F.tag(tag)) == set()


@check("a structured property is defined, listed, given to a dataset, and filtered by")
def structured():
    urn = "urn:li:structuredProperty:finds.level"
    definition = StructuredPropertyDefinitionClass(
        qualifiedName="finds.level",
        valueType="urn:li:dataType:datahub.string",
        entityTypes=["urn:li:entityType:datahub.dataset"],
        allowedValues=[PropertyValueClass(value="gold")],
    )
    put(urn, definition)
    assert list(StructuredProperties.list_urns(graph)) == [urn]
    upsert = "mutation set($input: UpsertStructuredPropertiesInput!) { upsertStructuredProperties(input: $input) { __typename } }"
    values = [{"structuredPropertyUrn": urn, "values": [{"stringValue": "gold"}]}]
    graph.execute_graphql(upsert, variables={"input": {"assetUrn": clean, "structuredPropertyInputParams": values}})
    assert searched(F.custom_filter("structuredProperties.finds.level", "EQUAL", ["gold"])) == {clean}


@check("a group with its members is written")
def group():
    CorpGroup(id="finders", display_name="Finders", members=["finds"]).emit(graph)
    query = """query members($urn: String!) { corpGroup(urn: $urn) { properties { displayName }
      relationships(input: {types: ["IsMemberOfGroup"], direction: INCOMING, start: 0, count: 9}) { relationships { entity { urn } } } } }"""
    group = graph.execute_graphql(query, variables={"urn": "urn:li:corpGroup:finders"})["corpGroup"]
    assert [each["entity"]["urn"] for each in group["relationships"]["relationships"]] == [owner]


@check("the circuit breaker of assertions opens when one fails")
def assertions():
    urn = "urn:li:assertion:finds"
    custom = CustomAssertionInfoClass(type="count", entity=raw)
    put(urn, AssertionInfoClass(type=AssertionTypeClass.CUSTOM, customAssertion=custom))
    config = AssertionCircuitBreakerConfig(datahub_host=SERVER, datahub_token=TOKEN, verify_after_last_update=False)
    breaker = AssertionCircuitBreaker(config)
    for order, outcome in ((1, AssertionResultTypeClass.FAILURE), (2, AssertionResultTypeClass.SUCCESS)):
        event = AssertionRunEventClass(
            timestampMillis=now + order,
            runId=str(order),
            asserteeUrn=raw,
            assertionUrn=urn,
            status=AssertionRunStatusClass.COMPLETE,
            result=AssertionResultClass(type=outcome),
        )
        put(urn, event)
        assert breaker.is_circuit_breaker_active(urn=raw) == (outcome == AssertionResultTypeClass.FAILURE), outcome
    assert len(Assertion(datahub_host=SERVER, datahub_token=TOKEN).query_assertion(urn=raw)) == 1


@check("the circuit breaker of operations is closed after an operation in time")
def operations():
    breaker = OperationCircuitBreaker(OperationCircuitBreakerConfig(datahub_host=SERVER, datahub_token=TOKEN))
    asked = Operation(datahub_host=SERVER, datahub_token=TOKEN)
    assert breaker.is_circuit_breaker_active(urn=raw) and asked.query_operations(urn=raw) == []
    put(raw, OperationClass(timestampMillis=now, lastUpdatedTimestamp=now, operationType=OperationTypeClass.INSERT))
    assert not breaker.is_circuit_breaker_active(urn=raw)
    assert [each["operationType"] for each in asked.query_operations(urn=raw)] == ["INSERT"]


run_checks()
