import type { AspectReader } from '../aspect/aspect-store.ts';
import type { AspectWrite } from '../aspect/aspect.ts';
import { integerIn, objectIn } from '../entity/stored-member.ts';
import { parseUrn } from '../urn/urn.ts';

/** Raised whenever `bootstrapAspects` gets more; what is new says with `since` that it came with this number. */
export const bootstrapVersion = 1;

const marker = parseUrn('urn:li:dataHubUpgrade:postil-bootstrap');
const aspect = 'dataHubUpgradeResult';

/** Up to which version a catalogue was given what every catalogue has; 0 for never. */
export async function bootstrappedVersion(reader: Pick<AspectReader, 'read'>): Promise<number> {
  const body = (await reader.read(marker, [aspect])).get(aspect)?.body;
  return integerIn(objectIn(body, 'result'), 'version') ?? 0;
}

/** `now` in milliseconds since the Unix epoch. */
export function markerWrite(now: number): AspectWrite {
  return {
    urn: marker,
    aspect,
    body: { timestampMs: now, state: 'SUCCEEDED', result: { version: bootstrapVersion } },
  };
}
