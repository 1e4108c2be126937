import type { Route } from './route.ts';

/** Where the same routes answer again (decision 6): clients are configured with one base URL and append paths to it. */
const basePaths = ['/api/gms', '/gms'] as const;

/** GraphQL's own paths, below every base path. */
const graphqlPaths: ReadonlySet<string> = new Set(['/api/graphql', '/api/v2/graphql']);

export type Match =
  | { readonly kind: 'graphql' }
  | {
      readonly kind: 'route';
      readonly route: Route;
      readonly pathParameters: Readonly<Record<string, string>>;
    }
  /** The path is known, but not with this method or this action. */
  | { readonly kind: 'other-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'other-action'; readonly actions: readonly string[]; readonly route: Route }
  | { readonly kind: 'unknown' };

type Pattern = { readonly segments: readonly string[]; readonly routes: Route[] };

/** Finds what answers a request. Paths are compared as they were sent; a trailing slash is no difference. */
export function createRouter(
  routes: readonly Route[],
): (method: string, path: string, action: string | null) => Match {
  const patterns = new Map<string, Pattern>();
  for (const route of routes) {
    const pattern = patterns.get(route.path) ?? { segments: route.path.split('/').slice(1), routes: [] };
    pattern.routes.push(route);
    patterns.set(route.path, pattern);
  }
  // A literal path goes before one with a parameter.
  const ordered = [...patterns.values()].sort(
    (left, right) => Number(left.segments.some(isParameter)) - Number(right.segments.some(isParameter)),
  );

  return (method, path, action) => {
    const plain = withoutBasePath(path);
    if (graphqlPaths.has(plain)) {
      return method === 'POST' ? { kind: 'graphql' } : { kind: 'other-method', allowed: ['POST'] };
    }
    const segments = plain.split('/').slice(1);
    for (const pattern of ordered) {
      const pathParameters = matchSegments(pattern.segments, segments);
      if (pathParameters === undefined) continue;
      return choose(pattern.routes, method, action, pathParameters);
    }
    return { kind: 'unknown' };
  };
}

function choose(
  routes: readonly Route[],
  method: string,
  action: string | null,
  pathParameters: Readonly<Record<string, string>>,
): Match {
  const ofMethod = routes.filter((route) => route.method === method);
  const [first] = ofMethod;
  if (first === undefined) {
    return { kind: 'other-method', allowed: [...new Set(routes.map((route) => route.method))] };
  }
  const route =
    ofMethod.find((each) => (each.action ?? null) === action) ?? ofMethod.find((each) => !each.action);
  if (route !== undefined) return { kind: 'route', route, pathParameters };
  return { kind: 'other-action', actions: ofMethod.flatMap((each) => each.action ?? []), route: first };
}

function withoutBasePath(path: string): string {
  let plain = path;
  for (const base of basePaths) {
    // `/api/gms@host` is not below `/api/gms`: only a whole segment counts.
    if (plain.startsWith(`${base}/`)) {
      plain = plain.slice(base.length);
      break;
    }
  }
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (isParameter(expected)) {
      if (segment === '') return undefined;
      parameters[expected.slice(1, -1)] = segment;
    } else if (expected !== segment) return undefined;
  }
  return parameters;
}
