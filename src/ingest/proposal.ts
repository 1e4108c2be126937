import type { SystemMetadata } from '../aspect/aspect.ts';
import { isJsonObject, isNestedDeeper, jsonDepthMax } from '../aspect/json.ts';
import type { JsonObject, JsonValue } from '../aspect/json.ts';
import { requireAspect, requireEntityType, urnFromKey } from '../entity/entity-registry.ts';
import { nearestName } from '../entity/nearest-name.ts';
import { normaliseAspect } from '../entity/normalise-aspect.ts';
import { errorText } from '../errors/error-text.ts';
import { PostilError } from '../errors/postil-error.ts';
import { parseUrn, urnType } from '../urn/urn.ts';
import type { Urn } from '../urn/urn.ts';
import { parsePatch } from './aspect-patch.ts';
import type { PatchOperation } from './aspect-patch.ts';
import { decodeByteText, decodeUrnEscapes } from './client-encodings.ts';
import { verbatimNumbersOf } from './verbatim-numbers.ts';
import type { VerbatimNumbers } from './verbatim-numbers.ts';

const changeTypes = ['UPSERT', 'CREATE', 'CREATE_ENTITY', 'UPDATE', 'PATCH', 'DELETE', 'RESTATE'] as const;

/** What a proposal wants done with an aspect (wire 5.1). */
export type ChangeType = (typeof changeTypes)[number];

/** Conditions under which a proposal is to be applied (wire 5.1). */
export type Preconditions = {
  /** `If-None-Match: *`: the write is dropped when the aspect exists. */
  readonly onlyIfAbsent?: boolean;
  /** `If-Version-Match`: the version that must be stored; -1 is none. */
  readonly version?: number;
  /** `If-Modified-Since`, `If-Unmodified-Since`: milliseconds since the Unix epoch. */
  readonly modifiedSince?: number;
  readonly unmodifiedSince?: number;
};

/** A metadata change proposal that was read and understood; whether it holds is decided when it is applied. */
export type Proposal = {
  readonly urn: Urn;
  readonly aspect: string;
  readonly changeType: ChangeType;
  /** The value; `undefined` for DELETE and PATCH. */
  readonly body?: JsonObject;
  /** The value as it was sent, where printing `body` would change a number. */
  readonly text?: string;
  readonly patch?: readonly PatchOperation[];
  readonly systemMetadata?: SystemMetadata;
  readonly preconditions?: Preconditions;
};

/**
 * Reads a metadata change proposal as clients send it and files hold it (wire 3.1). `numbers` are those of the text that
 * `value` was parsed from, with the same value in `numbered`, for bodies that stand in the proposal as JSON.
 * Throws BAD_REQUEST, INVALID_URN, UNKNOWN_ENTITY_TYPE, UNKNOWN_ASPECT, INVALID_ASPECT.
 */
export function parseProposal(value: unknown, numbers?: VerbatimNumbers, numbered?: JsonValue): Proposal {
  if (!isJsonObject(value)) throw refused('A proposal must be a JSON object');
  const urn = urnOf(value);
  const type = urnType(urn);
  const entityType = value['entityType'];
  if (typeof entityType === 'string' && entityType !== type) {
    throw refused(`The entityType ${JSON.stringify(entityType)} is not that of ${urn}`);
  }
  requireEntityType(type);
  const aspect = value['aspectName'];
  if (typeof aspect !== 'string') throw refused(`The proposal for ${urn} has no aspectName`);
  requireAspect(type, aspect);
  const changeType = changeTypeOf(value['changeType'], urn, aspect);
  const systemMetadata = systemMetadataOf(value['systemMetadata'], urn);
  const preconditions = preconditionsOf(value['headers'], urn);
  return {
    urn,
    aspect,
    changeType,
    ...contentOf(value['aspect'], { urn, aspect, changeType }, numbers, memberOf(numbered, 'aspect')),
    ...(systemMetadata === undefined ? {} : { systemMetadata }),
    ...(preconditions === undefined ? {} : { preconditions }),
  };
}

/** System metadata as an object or, as `datahub put` sends it, as JSON text; null members are dropped. */
export function systemMetadataOf(value: unknown, whose: string): SystemMetadata | undefined {
  if (value === undefined || value === null) return undefined;
  const metadata = typeof value === 'string' ? parseJson(value, `The systemMetadata of ${whose}`) : value;
  if (!isJsonObject(metadata)) throw refused(`The systemMetadata of ${whose} must be a JSON object`);
  for (const member in metadata) {
    if (metadata[member] === null) {
      return Object.fromEntries(Object.entries(metadata).filter(([, each]) => each !== null));
    }
  }
  return metadata;
}

/** A URN from a client: escapes that were doubled on the way are undone (wire 3.1). Throws BAD_REQUEST, INVALID_URN. */
export function clientUrn(value: unknown, what: string): Urn {
  if (typeof value !== 'string') throw refused(`${what} must be text`);
  return parseUrn(decodeUrnEscapes(value));
}

function urnOf(proposal: JsonObject): Urn {
  const { entityUrn, entityKeyAspect, entityType } = proposal as {
    readonly [member: string]: JsonValue | undefined;
  };
  if (entityUrn !== undefined && entityUrn !== null) return clientUrn(entityUrn, 'The entityUrn');
  if (entityKeyAspect === undefined || entityKeyAspect === null) {
    throw refused('The proposal has neither an entityUrn nor an entityKeyAspect');
  }
  if (typeof entityType !== 'string')
    throw refused('A proposal with an entityKeyAspect needs its entityType');
  const { value } = genericAspect(entityKeyAspect, 'The entityKeyAspect');
  if (!isJsonObject(value)) throw refused('The entityKeyAspect must hold a JSON object');
  return urnFromKey(entityType, value);
}

function changeTypeOf(value: JsonValue | undefined, urn: Urn, aspect: string): ChangeType {
  const known = changeTypes.find((each) => each === value);
  if (known !== undefined) return known;
  if (value === undefined || value === null)
    throw refused(`The proposal for ${aspect} of ${urn} has no changeType`);
  const asked = typeof value === 'string' ? value : JSON.stringify(value);
  const nearest = nearestName(asked, changeTypes);
  throw refused(
    `Unknown changeType ${JSON.stringify(asked)} for ${aspect} of ${urn}: it is one of ${changeTypes.join(', ')}.` +
      (nearest === undefined ? '' : ` Did you mean ${nearest}?`),
  );
}

type Content = Pick<Proposal, 'body' | 'text' | 'patch'>;

function contentOf(
  generic: JsonValue | undefined,
  { urn, aspect, changeType }: Pick<Proposal, 'urn' | 'aspect' | 'changeType'>,
  numbers: VerbatimNumbers | undefined,
  numbered: JsonValue | undefined,
): Content {
  if (changeType === 'DELETE') return {};
  const what = `The aspect ${aspect} of ${urn}`;
  if (generic === undefined || generic === null) throw invalid(`${what} is missing in the proposal`);
  const { value, text, isPatch } = genericAspect(generic, what);
  if (changeType === 'PATCH') return { patch: parsePatch(value, aspect, urn) };
  if (isPatch) throw refused(`${what} is a patch, but its changeType is ${changeType}`);
  if (text === undefined) return bodyOf(aspect, value, urn, numbers, memberOf(numbered, 'json'));
  const ownNumbers = verbatimNumbersOf(text);
  return bodyOf(aspect, value, urn, ownNumbers, ownNumbers?.tree, mayNeedNormalising(text));
}

/**
 * The body of an aspect as it is stored: what only files and old clients write is taken out of it, see `normaliseAspect`,
 * and numbers keep their text. Throws INVALID_ASPECT when it is no object.
 */
export function bodyOf(
  aspect: string,
  value: JsonValue,
  urn: Urn,
  numbers?: VerbatimNumbers,
  numbered?: JsonValue,
  toNormalise = true,
): Content {
  const body = toNormalise ? normaliseAspect(aspect, value) : value;
  if (!isJsonObject(body)) throw invalid(`The aspect ${aspect} of ${urn} must be a JSON object`);
  if (numbers === undefined || numbered === undefined) return { body };
  const text = numbers.print(toNormalise ? normaliseAspect(aspect, numbered) : numbered);
  return text === undefined ? { body } : { body, text };
}

/** Clients leave little to normalise; looking for it in the text costs less than walking the value. */
function mayNeedNormalising(text: string): boolean {
  return text.includes('null') || text.includes('pegasus2avro');
}

type GenericAspect = {
  readonly value: JsonValue;
  readonly text: string | undefined;
  readonly isPatch: boolean;
};

/** `{value: text, contentType}` as clients send it, or `{json: value}` as newer files hold it (wire 2.4, 10). */
function genericAspect(generic: JsonValue, what: string): GenericAspect {
  if (!isJsonObject(generic))
    throw invalid(`${what} must be an object with the members value and contentType`);
  const { value, json, contentType } = generic as { readonly [member: string]: JsonValue | undefined };
  const isPatch = contentType === 'application/json-patch+json';
  if (json !== undefined && json !== null) return { value: json, text: undefined, isPatch };
  if (typeof value !== 'string') throw invalid(`${what} has neither "value" (JSON as text) nor "json"`);
  if (!isPatch && typeof contentType === 'string' && !/^application\/json(?:;|$)/i.test(contentType)) {
    throw invalid(
      `${what} has the contentType ${JSON.stringify(contentType)}; only application/json can be read`,
    );
  }
  const text = decodeByteText(value);
  return { value: parseJson(text, what), text, isPatch };
}

function parseJson(text: string, what: string): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    const cause = errorText(error);
    throw invalid(`${what} is not valid JSON: ${cause}`);
  }
  // Before anything walks through it level by level.
  if (isNestedDeeper(value)) throw invalid(`${what} is nested more than ${jsonDepthMax} levels deep`);
  return value;
}

function preconditionsOf(headers: JsonValue | undefined, urn: Urn): Preconditions | undefined {
  if (headers === undefined || headers === null) return undefined;
  if (!isJsonObject(headers)) throw refused(`The headers of the proposal for ${urn} must be a JSON object`);
  let preconditions: Preconditions | undefined;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || value === null) continue;
    const header = name.toLowerCase();
    if (header === 'if-none-match') {
      if (value !== '*') throw refused(`If-None-Match of the proposal for ${urn} can only be "*"`);
      preconditions = { ...preconditions, onlyIfAbsent: true };
    } else {
      const member = numericHeaders.get(header);
      if (member === undefined) continue;
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
        throw refused(
          `${name} of the proposal for ${urn} must be a whole number, not ${JSON.stringify(value)}`,
        );
      }
      preconditions = { ...preconditions, [member]: number };
    }
  }
  return preconditions;
}

const numericHeaders: ReadonlyMap<string, keyof Preconditions> = new Map([
  ['if-version-match', 'version'],
  ['if-modified-since', 'modifiedSince'],
  ['if-unmodified-since', 'unmodifiedSince'],
]);

function memberOf(value: JsonValue | undefined, member: string): JsonValue | undefined {
  return isJsonObject(value) ? value[member] : undefined;
}

function refused(message: string): PostilError {
  return new PostilError('BAD_REQUEST', message);
}

function invalid(message: string): PostilError {
  return new PostilError('INVALID_ASPECT', message);
}
