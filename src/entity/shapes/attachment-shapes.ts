import { ownershipKinds } from '../ownership-kinds.ts';
import {
  anything,
  anyUrn,
  boolean,
  descriptionText,
  enumOf,
  integer,
  list,
  map,
  number,
  record,
  required,
  text,
  union,
  urlText,
  urnOf,
  sourceLink,
} from './shape.ts';
import type { Shape } from './shape.ts';

export const textMap: Shape = map(text);
export const ownerUrn: Shape = urnOf('corpuser', 'corpGroup');

export const auditStamp: Shape = record({
  time: required(integer),
  actor: required(anyUrn),
  impersonator: anyUrn,
  message: text,
});

/** `created` and `lastModified` of properties that come from a source: the actor is often unknown. */
export const timeStamp: Shape = record({ time: required(integer), actor: anyUrn });

export const attribution: Shape = record({
  time: required(integer),
  actor: required(anyUrn),
  source: anyUrn,
  sourceDetail: textMap,
});

export const glossaryTerms: Shape = record({
  terms: required(
    list(record({ urn: required(urnOf('glossaryTerm')), actor: anyUrn, context: text, attribution })),
  ),
  auditStamp: required(auditStamp),
});

export const globalTags: Shape = record({
  tags: required(list(record({ tag: required(urnOf('tag')), context: text, attribution }))),
});

export const edge: Shape = record({
  destinationUrn: required(anyUrn),
  sourceUrn: anyUrn,
  created: auditStamp,
  lastModified: auditStamp,
  properties: textMap,
});

const ownershipKind = enumOf(...ownershipKinds);

const structuredValue = union({ string: text, double: number });

/** Aspects that many entity types may carry (wire 8.3, contract section 6). */
export const attachmentShapes: { readonly [aspect: string]: Shape } = {
  glossaryTerms,
  globalTags,
  institutionalMemory: record({
    elements: required(
      list(
        record({
          url: required(urlText),
          description: required(descriptionText),
          createStamp: required(auditStamp),
          updateStamp: auditStamp,
          settings: record({ showInAssetPreview: boolean }),
        }),
      ),
    ),
  }),
  ownership: record({
    owners: required(
      list(
        record({
          owner: required(ownerUrn),
          type: required(ownershipKind),
          typeUrn: urnOf('ownershipType'),
          source: record({ type: required(text), url: text }),
          attribution,
        }),
      ),
    ),
    ownerTypes: map(list(anyUrn)),
    lastModified: auditStamp,
  }),
  domains: record({
    domains: required(list(urnOf('domain'))),
    domainAssociations: list(record({ domain: required(urnOf('domain')), attribution })),
  }),
  deprecation: record({
    deprecated: required(boolean),
    decommissionTime: integer,
    note: descriptionText,
    actor: required(anyUrn),
    replacement: anyUrn,
  }),
  status: record({ removed: boolean, lifecycleStage: anyUrn, lifecycleLastUpdated: auditStamp }),
  subTypes: record({ typeNames: required(list(text)) }),
  documentation: record({
    documentations: required(list(record({ documentation: required(descriptionText), attribution }))),
  }),
  structuredProperties: record({
    properties: required(
      list(
        record({
          propertyUrn: required(urnOf('structuredProperty')),
          values: required(list(structuredValue)),
          created: auditStamp,
          lastModified: auditStamp,
          attribution,
        }),
      ),
    ),
  }),
  forms: record({
    incompleteForms: list(record({ urn: required(urnOf('form')) })),
    completedForms: list(record({ urn: required(urnOf('form')) })),
    verifications: list(record({ form: required(urnOf('form')), lastModified: auditStamp })),
  }),
  applications: record({ applications: list(urnOf('application')) }),
  browsePaths: record({ paths: required(list(text)) }),
  browsePathsV2: record({ path: required(list(record({ id: required(text), urn: anyUrn }))) }),
  dataPlatformInstance: record({
    platform: required(urnOf('dataPlatform')),
    instance: urnOf('dataPlatformInstance'),
  }),
  container: record({ container: required(urnOf('container')) }),
  testResults: record({ failing: required(testResultList()), passing: required(testResultList()) }),
  incidentsSummary: record({
    resolvedIncidents: list(urnOf('incident')),
    activeIncidents: list(urnOf('incident')),
    resolvedIncidentDetails: list(record({ urn: required(urnOf('incident')), type: text })),
    activeIncidentDetails: list(record({ urn: required(urnOf('incident')), type: text })),
  }),
  versionProperties: record({
    versionSet: required(urnOf('versionSet')),
    version: required(record({ versionTag: text })),
    aliases: list(record({ versionTag: text })),
    comment: text,
    sortId: required(text),
    isLatest: boolean,
  }),
  displayProperties: record({ colorHex: text, icon: anything }),
  embed: record({ renderUrl: sourceLink }),
  access: record({ roles: list(record({ urn: required(urnOf('role')) })) }),
  origin: record({ type: required(text), externalType: text }),
  assetSettings: record({}),
  logicalParent: record({ parent: edge }),
};

function testResultList(): Shape {
  return list(
    record({
      test: required(urnOf('test')),
      type: required(enumOf('SUCCESS', 'FAILURE')),
      testDefinitionMd5: text,
      lastComputed: auditStamp,
    }),
  );
}
