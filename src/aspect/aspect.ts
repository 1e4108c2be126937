import type { Urn } from '../urn/urn.ts';
import type { JsonObject } from './json.ts';

/** Who and when: milliseconds since the Unix epoch (0 is unknown) and a user URN (service specification, audit stamp). */
export type AuditStamp = { readonly time: number; readonly actor: string };

/** What ingestion says about a write: run id, last observed time in milliseconds, client properties (wire 3.1, 5.2). */
export type SystemMetadata = JsonObject;

/**
 * One version of one aspect: a JSON document with a name, attached to an entity. Versions count from 1 and never skip;
 * on the wire, version 0 asks for the latest.
 */
export class Aspect {
  readonly name: string;
  readonly version: number;
  /** The document as it is stored; what was ingested is kept byte-equal as JSON. */
  readonly text: string;
  /** When this version was written, and by whom. */
  readonly stamp: AuditStamp;
  readonly #systemText: string | null;
  #body: JsonObject | undefined;
  #system: SystemMetadata | undefined;

  constructor(
    name: string,
    version: number,
    text: string,
    stamp: AuditStamp,
    systemText: string | null,
    body?: JsonObject,
  ) {
    this.name = name;
    this.version = version;
    this.text = text;
    this.stamp = stamp;
    this.#systemText = systemText;
    this.#body = body;
  }

  /** The parsed document; parsed at the first use, then kept. Callers never change it. */
  get body(): JsonObject {
    this.#body ??= JSON.parse(this.text) as JsonObject;
    return this.#body;
  }

  /** System metadata as last observed; `undefined` when none was ever sent. */
  get systemMetadata(): SystemMetadata | undefined {
    if (this.#systemText === null) return undefined;
    this.#system ??= JSON.parse(this.#systemText) as SystemMetadata;
    return this.#system;
  }

  get systemText(): string | null {
    return this.#systemText;
  }
}

/** The latest aspects of one entity, by aspect name. Empty for an entity that was never stored. */
export type EntityAspects = ReadonlyMap<string, Aspect>;

/** What a decision wants stored: a new body for one aspect, or its removal. */
export type AspectWrite = {
  readonly urn: Urn;
  readonly aspect: string;
  /** `undefined` removes the aspect; removing the key aspect removes the entity with everything it has. */
  readonly body: JsonObject | undefined;
  /** The text that was sent, kept verbatim where parsing and printing would change a number. */
  readonly text?: string;
  readonly systemMetadata?: SystemMetadata;
};
