import type { AspectReader } from '../aspect/aspect-store.ts';
import type { Aspect, AspectWrite } from '../aspect/aspect.ts';
import type { JsonObject } from '../aspect/json.ts';
import type { TokenKind } from '../auth/token-text.ts';
import { tokenUrnOf } from '../auth/token-text.ts';
import { formatUrn, urnKey, type Urn } from '../urn/urn.ts';

const infoAspect = 'dataHubAccessTokenInfo';
const scanPageSize = 1_000;

/** What is known of a token: everything but its secret. Times in milliseconds. */
export type AccessToken = {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly kind: TokenKind;
  /** Whom the token speaks for. */
  readonly actorUrn: string;
  /** Who made it. */
  readonly ownerUrn: string;
  readonly createdAt: number;
  /** `undefined`: never. */
  readonly expiresAt: number | undefined;
  /** The last four characters of the secret, so that its owner can tell it from others. */
  readonly lastFour: string;
  readonly createdByToken: string | undefined;
  /** Known to the minute. */
  readonly lastUsedAt: number | undefined;
};

/** The stored form: DataHub's `dataHubAccessTokenInfo`, with what it lacks added beside its members. */
export function tokenWrite(token: Omit<AccessToken, 'lastUsedAt'>): AspectWrite {
  const body: JsonObject = {
    name: token.name,
    ...(token.description === undefined ? {} : { description: token.description }),
    kind: token.kind,
    actorUrn: token.actorUrn,
    ownerUrn: token.ownerUrn,
    createdAt: token.createdAt,
    ...(token.expiresAt === undefined ? {} : { expiresAt: token.expiresAt }),
    lastFour: token.lastFour,
    ...(token.createdByToken === undefined ? {} : { createdByToken: token.createdByToken }),
  };
  return { urn: tokenUrnOf(token.id), aspect: infoAspect, body };
}

function tokenOf(urn: Urn, { body, systemMetadata }: Aspect): AccessToken {
  const text = (member: string): string | undefined => {
    const value = body[member];
    return typeof value === 'string' ? value : undefined;
  };
  const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  const kind = text('kind');
  return {
    id: urnKey(urn),
    name: text('name') ?? '',
    description: text('description'),
    kind: kind === 'service' || kind === 'bootstrap' ? kind : 'personal',
    actorUrn: text('actorUrn') ?? '',
    ownerUrn: text('ownerUrn') ?? '',
    createdAt: number(body['createdAt']) ?? 0,
    expiresAt: number(body['expiresAt']),
    lastFour: text('lastFour') ?? '',
    createdByToken: text('createdByToken'),
    lastUsedAt: number(systemMetadata?.['lastObserved']),
  };
}

export async function readToken(reader: AspectReader, id: string): Promise<AccessToken | undefined> {
  const urn = formatUrn('dataHubAccessToken', [id]);
  const info = (await reader.read(urn, [infoAspect])).get(infoAspect);
  return info === undefined ? undefined : tokenOf(urn, info);
}

/** All tokens, newest first. Tokens are few (50 for each actor), so they are read, not searched. */
export async function readTokens(reader: AspectReader): Promise<readonly AccessToken[]> {
  const tokens: AccessToken[] = [];
  for (let start = 0; ; start += scanPageSize) {
    const page = await reader.entities({ type: 'dataHubAccessToken', start, count: scanPageSize });
    for (const [urn, aspects] of await reader.readMany(page.items, [infoAspect])) {
      const info = aspects.get(infoAspect);
      if (info !== undefined) tokens.push(tokenOf(urn, info));
    }
    if (start + page.items.length >= page.total || page.items.length === 0) break;
  }
  return tokens.sort((left, right) => right.createdAt - left.createdAt || (left.id < right.id ? -1 : 1));
}
