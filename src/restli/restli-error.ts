import { errorCodes, PostilError } from '../errors/postil-error.ts';
import type { RouteAnswer } from '../http/route.ts';

const exceptionClass = 'com.linkedin.restli.server.RestLiServiceException';

/**
 * How rest.li routes tell an error: status, message and DataHub's class name, marked by a header (wire 2.3, contract 8.4).
 * Anything but a PostilError is a bug; its text stays inside.
 */
export function restliErrorAnswer(error: unknown): RouteAnswer {
  const known = error instanceof PostilError;
  const status = known ? errorCodes[error.code].http : errorCodes.INTERNAL.http;
  const message = known ? error.message : 'An unknown error occurred.';
  return {
    status,
    body: JSON.stringify({ exceptionClass, message, status }),
    headers: {
      'X-RestLi-Error-Response': 'true',
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    },
  };
}
