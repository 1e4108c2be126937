import type { Urn } from '../urn/urn.ts';
import { PostilError } from '../errors/postil-error.ts';

/** Places for those who wait, so that one of them cannot take all. */
export type Seats = {
  /** Takes a place; to be called with what is answered when it is free again. Throws OVERLOADED, naming the limit. */
  take(actor: Urn): () => void;
};

export function createSeats(what: string, limits: { readonly all: number; readonly each: number }): Seats {
  const taken = new Map<Urn, number>();
  let sum = 0;
  return {
    take(actor) {
      const own = taken.get(actor) ?? 0;
      if (sum >= limits.all) {
        throw new PostilError('OVERLOADED', `${limits.all} ${what} are open; try again later.`);
      }
      if (own >= limits.each) {
        throw new PostilError('OVERLOADED', `${actor} has ${limits.each} ${what} open; close some of them.`);
      }
      sum += 1;
      taken.set(actor, own + 1);
      let isFree = false;
      return () => {
        if (isFree) return;
        isFree = true;
        sum -= 1;
        const left = (taken.get(actor) ?? 1) - 1;
        if (left === 0) taken.delete(actor);
        else taken.set(actor, left);
      };
    },
  };
}
