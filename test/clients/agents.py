"""mcp-server-datahub, the server through which assistants use a catalogue: its tools, called as an assistant calls them."""

import asyncio
import json
import os
import sys
from pathlib import Path

import datahub.sdk as sdk
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.metadata.schema_classes import DomainPropertiesClass, StructuredPropertyDefinitionClass
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from checks import SERVER, TOKEN, check, run_checks

client = sdk.DataHubClient(server=SERVER, token=TOKEN)
raw, report = [f"urn:li:dataset:(urn:li:dataPlatform:duckdb,agents.{name},PROD)" for name in ("raw", "report")]
domain = "urn:li:domain:agents"
tag = "urn:li:tag:agents"
term = "urn:li:glossaryTerm:agents"
owner = "urn:li:corpuser:datahub"
level = "urn:li:structuredProperty:agents.level"

definition = StructuredPropertyDefinitionClass(
    qualifiedName="agents.level",
    valueType="urn:li:dataType:datahub.string",
    entityTypes=["urn:li:entityType:datahub.dataset"],
)
for urn, aspect in ((domain, DomainPropertiesClass(name="Agents")), (level, definition)):
    client._graph.emit(MetadataChangeProposalWrapper(entityUrn=urn, aspect=aspect))
client.entities.upsert(sdk.Tag(name="agents"))
client.entities.upsert(sdk.GlossaryTerm(id="agents", display_name="Agent", definition="Who acts"))
for name in ("raw", "report"):
    client.entities.upsert(
        sdk.Dataset(
            platform="duckdb",
            name=f"agents.{name}",
            display_name=f"agents {name}",
            description="A weathervane",
            schema=[("id", "int", "the key"), ("total", "int", "the sum")],
        )
    )
client.lineage.add_lineage(upstream=raw, downstream=report, column_lineage={"total": ["total"]})

program = str(Path(sys.executable).parent / "mcp-server-datahub")
environment = {**os.environ, "TOOLS_IS_MUTATION_ENABLED": "true", "TOOLS_IS_USER_ENABLED": "true"}
loop = asyncio.new_event_loop()
assistant = Client(StdioTransport(command=program, args=[], env=environment))


def call(tool, **arguments):
    answer = loop.run_until_complete(assistant.call_tool(tool, arguments)).structured_content
    return answer["result"] if set(answer) == {"result"} else answer


def details(urn):
    return call("get_entities", urns=[urn])[0]


def urns_in(answer):
    return [result["entity"]["urn"] for result in answer["searchResults"]]


@check("the server lists the tools that read")
def tools():
    listed = {tool.name for tool in loop.run_until_complete(assistant.list_tools())}
    reading = {"search", "get_entities", "get_lineage", "get_dataset_queries", "list_schema_fields"}
    assert reading <= listed, listed


@check("search finds by text and filters, and gives facets")
def search():
    assert set(urns_in(call("search", query="weathervane"))) == {raw, report}
    assert urns_in(call("search", query="/q agents raw*", filter="platform = duckdb")) == [raw]
    filtered = call("search", query="weathervane", filter="entity_type = dataset AND platform = duckdb", num_results=1)
    assert filtered["total"] == 2 and len(filtered["searchResults"]) == 1
    facets = {facet["field"]: facet.get("aggregations") for facet in call("search", query="weathervane", num_results=0)["facets"]}
    assert [(each["value"], each["count"]) for each in facets["platform"]] == [("urn:li:dataPlatform:duckdb", 2)]


@check("get_entities and list_schema_fields describe entities of several types at once")
def entities():
    found = call("get_entities", urns=[raw, term, tag, domain, owner])
    assert [entity["urn"] for entity in found] == [raw, term, tag, domain, owner]
    assert found[0]["editableProperties"]["description"] == "A weathervane"
    assert [field["fieldPath"] for field in call("list_schema_fields", urn=raw)["fields"]] == ["id", "total"]


@check("get_lineage follows datasets and columns, and get_lineage_paths_between finds the way")
def lineage():
    down = call("get_lineage", urn=raw, upstream=False, max_hops=3)["downstreams"]
    assert urns_in(down) == [report]
    column = call("get_lineage", urn=report, column="total", upstream=True, max_hops=1)["upstreams"]
    assert [result["lineageColumns"] for result in column["searchResults"]] == [["total"]]
    ways = call("get_lineage_paths_between", source_urn=raw, target_urn=report)
    assert raw in json.dumps(ways["paths"]) and report in json.dumps(ways["paths"])


@check("get_dataset_queries and get_me answer")
def others():
    assert call("get_dataset_queries", urn=raw)["total"] == 0
    assert call("get_me")["data"]["corpUser"]["urn"] == owner


@check("tags, terms, owners, a domain and structured properties are added and removed")
def everyday():
    one = {"entity_urns": [raw]}
    for tool, arguments in (
        ("add_tags", {"tag_urns": [tag]}),
        ("add_terms", {"term_urns": [term]}),
        ("add_owners", {"owner_urns": [owner], "ownership_type": "Technical Owner"}),
        ("set_domains", {"domain_urn": domain}),
        ("add_structured_properties", {"property_values": {level: ["gold"]}}),
    ):
        assert call(tool, **arguments, **one)["success"], tool
    added = json.dumps(details(raw))
    for urn in (tag, term, owner, domain, level):
        assert urn in added, urn
    for tool, arguments in (
        ("remove_tags", {"tag_urns": [tag]}),
        ("remove_terms", {"term_urns": [term]}),
        ("remove_owners", {"owner_urns": [owner]}),
        ("remove_domains", {}),
        ("remove_structured_properties", {"property_urns": [level]}),
    ):
        assert call(tool, **arguments, **one)["success"], tool
    removed = json.dumps(details(raw))
    for urn in (tag, term, owner, domain, level):
        assert urn not in removed, urn


@check("descriptions of a dataset and a column are written")
def descriptions():
    assert call("update_description", entity_urn=raw, operation="replace", description="A compass")["success"]
    column = {"column_path": "id", "operation": "append", "description": " of rows"}
    assert call("update_description", entity_urn=raw, **column)["success"]
    assert "A compass" in json.dumps(details(raw))
    assert "of rows" in json.dumps(call("list_schema_fields", urn=raw))


loop.run_until_complete(assistant.__aenter__())
try:
    run_checks()
finally:
    loop.run_until_complete(assistant.__aexit__(None, None, None))
