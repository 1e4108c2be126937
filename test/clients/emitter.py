"""DatahubRestEmitter, as scripts and orchestration plugins use it."""

from datahub.emitter.mce_builder import make_dataset_urn, make_term_urn
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.rest_emitter import DatahubRestEmitter, EmitMode
from datahub.ingestion.graph.client import DataHubGraph
from datahub.ingestion.graph.config import DatahubClientConfig
from datahub.metadata.schema_classes import (
    AuditStampClass,
    ChangeTypeClass,
    DatasetProfileClass,
    DatasetPropertiesClass,
    DatasetSnapshotClass,
    EditableSchemaFieldInfoClass,
    EditableSchemaMetadataClass,
    GlossaryTermAssociationClass,
    GlossaryTermInfoClass,
    GlossaryTermsClass,
    MetadataChangeEventClass,
    StatusClass,
)

from checks import SERVER, TOKEN, check, expect_refusal, run_checks

emitter = DatahubRestEmitter(SERVER, token=TOKEN)
graph = DataHubGraph(DatahubClientConfig(server=SERVER, token=TOKEN))
orders = make_dataset_urn("hive", "emitter.orders")
term = make_term_urn("Emitter.Order")
stamp = AuditStampClass(time=1_700_000_000_000, actor="urn:li:corpuser:ingestion")


def of_orders(aspect, **others):
    return MetadataChangeProposalWrapper(entityUrn=orders, aspect=aspect, **others)


@check("test_connection succeeds, and the server says that it is an open one")
def connection():
    emitter.test_connection()
    assert not emitter.server_config.is_datahub_cloud


@check("emit_mcp stores an aspect, letters beyond ASCII included, and every emit mode is taken")
def emit_mcp():
    properties = DatasetPropertiesClass(
        name="orders", description='grün, "€", 日本, \U0001f600\nsecond line', customProperties={"team": "sales"}
    )
    emitter.emit_mcp(of_orders(properties))
    assert graph.get_aspect(orders, DatasetPropertiesClass) == properties
    for mode in (EmitMode.SYNC_PRIMARY, EmitMode.SYNC_WAIT, EmitMode.ASYNC, EmitMode.ASYNC_WAIT):
        emitter.emit_mcp(of_orders(StatusClass(removed=False)), emit_mode=mode)
    assert graph.get_aspect(orders, StatusClass).removed is False


@check("a URN with spaces, slashes and letters beyond ASCII keeps its identity")
def urns():
    for name in ("grün ü", "a/b", "100%", "a,b"):
        urn = make_dataset_urn("hive", name)
        emitter.emit(MetadataChangeProposalWrapper(entityUrn=urn, aspect=StatusClass(removed=False)))
        assert graph.exists(urn), urn


@check("emit_mcps stores a batch of 500 in their order")
def emit_mcps():
    urns = [make_dataset_urn("hive", f"emitter.batch{index}") for index in range(250)]
    emitter.emit_mcps(
        [
            MetadataChangeProposalWrapper(entityUrn=urn, aspect=aspect)
            for index, urn in enumerate(urns)
            for aspect in (StatusClass(removed=False), DatasetPropertiesClass(description=str(index)))
        ]
    )
    for index in (0, 249):
        assert graph.get_aspect(urns[index], DatasetPropertiesClass).description == str(index)


@check("emit_mce stores a snapshot")
def emit_mce():
    urn = make_dataset_urn("hive", "emitter.snapshot")
    aspects = [StatusClass(removed=False), DatasetPropertiesClass(description="from a snapshot")]
    event = MetadataChangeEventClass(proposedSnapshot=DatasetSnapshotClass(urn=urn, aspects=aspects))
    emitter.emit_mce(event)
    emitter.emit(event)
    assert graph.get_aspect(urn, DatasetPropertiesClass).description == "from a snapshot"


@check("glossary terms on a dataset and on a column, and a column description, are read back equal")
def terms():
    attached = GlossaryTermsClass(terms=[GlossaryTermAssociationClass(urn=term)], auditStamp=stamp)
    columns = EditableSchemaMetadataClass(
        created=stamp,
        lastModified=stamp,
        editableSchemaFieldInfo=[
            EditableSchemaFieldInfoClass(fieldPath="customer.name", description="a *name*", glossaryTerms=attached)
        ],
    )
    info = GlossaryTermInfoClass(name="Order", definition="An order", termSource="INTERNAL")
    emitter.emit(MetadataChangeProposalWrapper(entityUrn=term, aspect=info))
    emitter.emit(of_orders(attached))
    emitter.emit(of_orders(columns))
    assert graph.get_aspect(orders, GlossaryTermsClass) == attached
    assert graph.get_aspect(orders, EditableSchemaMetadataClass) == columns


@check("events of a timeseries aspect are taken")
def timeseries():
    emitter.emit(of_orders(DatasetProfileClass(timestampMillis=1_700_000_000_000, rowCount=3)))


@check("CREATE and CREATE_ENTITY refuse what exists with a message that says so")
def create():
    other = DatasetPropertiesClass(description="another one")
    create = of_orders(other, changeType=ChangeTypeClass.CREATE)
    expect_refusal(lambda: emitter.emit(create), "since the aspect already exists")
    create_entity = of_orders(other, changeType=ChangeTypeClass.CREATE_ENTITY)
    expect_refusal(lambda: emitter.emit(create_entity), "since the entity key already exists")


@check("DELETE of the key aspect deletes the entity")
def delete():
    urn = make_dataset_urn("hive", "emitter.batch0")
    emitter.emit_mcp(
        MetadataChangeProposalWrapper(
            entityUrn=urn, entityType="dataset", aspectName="datasetKey", changeType=ChangeTypeClass.DELETE
        )
    )
    assert not graph.exists(urn)


@check("a malformed URN and a wrong token are refused with a reason")
def refusals():
    broken = MetadataChangeProposalWrapper(entityUrn="urn:li:dataset:broken", aspect=StatusClass(removed=False))
    expect_refusal(lambda: emitter.emit(broken), "urn:li:dataset:broken")
    stranger = DatahubRestEmitter(SERVER, token="not-a-token")
    expect_refusal(lambda: stranger.emit(of_orders(StatusClass(removed=False))), "401")


run_checks()
