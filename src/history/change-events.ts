import { isJsonObject, type JsonValue } from '../aspect/json.ts';
import { entityTypeOf } from '../entity/entity-registry.ts';
import { filledTextIn, listIn, objectsIn, textIn } from '../entity/stored-member.ts';
import { type Urn, urnType } from '../urn/urn.ts';
import {
  type Body,
  descriptionEvents,
  type Item,
  type Listed,
  listEvents,
  referred,
  tagItems,
  termItems,
} from './attachment-events.ts';
import type { ChangeEvent } from './change-event.ts';
import { editedColumnEvents, schemaEvents } from './column-events.ts';

const relatedTermLists = ['isRelatedTerms', 'hasRelatedTerms', 'values', 'relatedTerms'];

const listed: Readonly<Record<string, Listed>> = {
  glossaryTerms: { category: 'GLOSSARY_TERM', noun: 'Glossary term', semantic: 'MINOR', items: termItems },
  globalTags: { category: 'TAG', noun: 'Tag', semantic: 'MINOR', items: tagItems },
  domains: {
    category: 'DOMAIN',
    noun: 'Domain',
    semantic: 'MINOR',
    items: (body) => referred(listIn(body, 'domains'), 'domainUrn'),
  },
  ownership: {
    category: 'OWNERSHIP',
    noun: 'Owner',
    semantic: 'MINOR',
    items: (body) =>
      objectsIn(body, 'owners').flatMap((each): Item[] => {
        const owner = textIn(each, 'owner');
        if (owner === null) return [];
        const kind = textIn(each, 'typeUrn') ?? textIn(each, 'type') ?? 'NONE';
        return [
          { key: `${owner} ${kind}`, modifier: owner, parameters: { ownerUrn: owner, ownerType: kind } },
        ];
      }),
  },
  institutionalMemory: {
    category: 'DOCUMENTATION',
    noun: 'Link',
    semantic: 'PATCH',
    items: (body) =>
      objectsIn(body, 'elements').flatMap((each): Item[] => {
        const url = textIn(each, 'url');
        const label = textIn(each, 'description') ?? '';
        return url === null
          ? []
          : [{ key: `${url} ${label}`, modifier: url, parameters: { url, description: label } }];
      }),
  },
  structuredProperties: {
    category: 'STRUCTURED_PROPERTY',
    noun: 'Structured property',
    semantic: 'MINOR',
    items: (body) =>
      objectsIn(body, 'properties').flatMap((each): Item[] => {
        const property = textIn(each, 'propertyUrn');
        if (property === null) return [];
        const value = JSON.stringify(listIn(each, 'values').map(plainValue));
        return [
          {
            key: property,
            modifier: property,
            value,
            parameters: { propertyUrn: property, propertyValues: value },
          },
        ];
      }),
  },
  documentation: {
    category: 'DOCUMENTATION',
    noun: 'Documentation',
    semantic: 'PATCH',
    items: (body) =>
      objectsIn(body, 'documentations').flatMap((each): Item[] => {
        const text = textIn(each, 'documentation');
        return text === null ? [] : [{ key: text, modifier: text, parameters: { description: text } }];
      }),
  },
  glossaryRelatedTerms: {
    category: 'RELATED_ENTITIES',
    noun: 'Related term',
    semantic: 'MINOR',
    items: (body) =>
      relatedTermLists.flatMap((list) =>
        referred(listIn(body, list), 'relatedTermUrn').map((item) => ({
          ...item,
          key: `${list} ${item.key}`,
          parameters: { ...item.parameters, relation: list },
        })),
      ),
  },
};

/** Members that describe an entity, by aspect. */
const descriptions: Readonly<Record<string, string>> = {
  datasetProperties: 'description',
  editableDatasetProperties: 'description',
  glossaryTermInfo: 'definition',
  glossaryNodeInfo: 'definition',
  containerProperties: 'description',
  editableContainerProperties: 'description',
  domainProperties: 'description',
  tagProperties: 'description',
  editableTagProperties: 'description',
  chartInfo: 'description',
  editableChartProperties: 'description',
  dashboardInfo: 'description',
  editableDashboardProperties: 'description',
  dataJobInfo: 'description',
  editableDataJobProperties: 'description',
  dataFlowInfo: 'description',
  editableDataFlowProperties: 'description',
  dataProductProperties: 'description',
};

/** Members that say below what an entity stands, by aspect. */
const parents: Readonly<Record<string, string>> = {
  glossaryTermInfo: 'parentNode',
  glossaryNodeInfo: 'parentNode',
  domainProperties: 'parentDomain',
  container: 'container',
};

/** Whether changes of such an aspect can be events; of all others nothing has to be read. */
export function isToldOf(urn: Urn, aspect: string): boolean {
  return (
    [listed, descriptions, parents].some((table) => Object.hasOwn(table, aspect)) ||
    ['status', 'deprecation', 'schemaMetadata', 'editableSchemaMetadata'].includes(aspect) ||
    entityTypeOf(urnType(urn))?.keyAspect === aspect
  );
}

/**
 * What a change of an aspect did, as events of the categories of DataHub's timeline; none for aspects that the timeline does not
 * speak of. Pure.
 */
export function changeEventsOf(urn: Urn, aspect: string, before: Body, after: Body): readonly ChangeEvent[] {
  const events: ChangeEvent[] = [];
  if (entityTypeOf(urnType(urn))?.keyAspect === aspect) events.push(...existenceEvents(urn, before, after));
  if (aspect === 'status' || aspect === 'deprecation')
    events.push(...lifecycleEvents(urn, aspect, before, after));
  const list = listed[aspect];
  if (list !== undefined) events.push(...listEvents(urn, list, before, after));
  const description = descriptions[aspect];
  if (description !== undefined) {
    const texts = [filledTextIn(before, description), filledTextIn(after, description)] as const;
    events.push(...descriptionEvents(urn, ...texts));
  }
  const parent = parents[aspect];
  if (parent !== undefined) events.push(...parentEvents(urn, textIn(before, parent), textIn(after, parent)));
  if (aspect === 'schemaMetadata') events.push(...schemaEvents(urn, before, after));
  if (aspect === 'editableSchemaMetadata') events.push(...editedColumnEvents(urn, before, after));
  return events;
}

function existenceEvents(urn: Urn, before: Body, after: Body): readonly ChangeEvent[] {
  if ((before === undefined) === (after === undefined)) return [];
  const isNew = after !== undefined;
  return [
    {
      urn,
      category: 'LIFECYCLE',
      operation: isNew ? 'CREATE' : 'REMOVE',
      modifier: urn,
      semantic: isNew ? 'MINOR' : 'MAJOR',
      description: isNew ? `${urn} was created` : `${urn} was deleted`,
      parameters: {},
    },
  ];
}

function lifecycleEvents(
  urn: Urn,
  aspect: 'status' | 'deprecation',
  before: Body,
  after: Body,
): readonly ChangeEvent[] {
  const member = aspect === 'status' ? 'removed' : 'deprecated';
  const isSet = after?.[member] === true;
  if ((before?.[member] === true) === isSet) return [];
  const word = aspect === 'status' ? ['removed', 'restored'] : ['deprecated', 'no longer deprecated'];
  return [
    {
      urn,
      category: 'LIFECYCLE',
      operation: 'MODIFY',
      modifier: urn,
      semantic: isSet ? 'MAJOR' : 'MINOR',
      description: `${urn} is ${isSet ? word[0] : word[1]}`,
      parameters: { [member]: String(isSet) },
    },
  ];
}

function parentEvents(urn: Urn, before: string | null, after: string | null): readonly ChangeEvent[] {
  if (before === after) return [];
  return [
    {
      urn,
      category: 'PARENT',
      operation: before === null ? 'ADD' : after === null ? 'REMOVE' : 'MODIFY',
      modifier: after ?? before ?? undefined,
      semantic: 'MINOR',
      description: `${urn} moved from ${before ?? 'the root'} to ${after ?? 'the root'}`,
      parameters: {
        ...(before === null ? {} : { previousParent: before }),
        ...(after === null ? {} : { parent: after }),
      },
    },
  ];
}

/** `{"string":"x"}` and `{"double":1}` without their wrapping. */
function plainValue(value: JsonValue): JsonValue {
  return isJsonObject(value) ? (Object.values(value)[0] ?? null) : value;
}
