import type { Urn } from '../../urn/urn.ts';
import type { Explanation } from '../explanation.ts';
import type { Issue } from '../issue.ts';

/** What is to be previewed, and how much of it is to be shown. */
export type PreviewInput = {
  /** The JSON text of the definition; without it, that of the test. */
  readonly json?: string;
  /** A stored test: what changes for whom is told against its verdicts. */
  readonly testUrn?: Urn;
  /** How many failing and how many passing entities are shown, 0 to 20; 20 when absent. Of nearly passing ones half as many. */
  readonly sampleSize?: number;
  /** Only entities of these types, which the definition has to name. */
  readonly types?: readonly string[];
};

/** How many entities in scope have which verdict; `undecided`: could not be evaluated within its limits. */
export type PreviewCounts = {
  readonly inScope: number;
  readonly passing: number;
  readonly failing: number;
  readonly exempt: number;
  readonly undecided: number;
};

/** Of one rule that decides: whom it fails. Exempt entities count as well. */
export type RulePreview = {
  readonly id: string;
  readonly pointer: string;
  readonly failing: number;
  /** Of those, the entities that no other rule fails. */
  readonly failingAlone: number;
};

/** Entities with one value; an entity with several values is counted with each. */
export type PreviewGroup = {
  /** URN of the platform, domain or owner; `undefined`: entities that have none. */
  readonly urn: string | undefined;
  readonly passing: number;
  /** Exempt ones aside. */
  readonly failing: number;
};

/** The 20 groups with the most entities that fail, then the most entities. */
export type PreviewGroups = {
  readonly platforms: readonly PreviewGroup[];
  readonly domains: readonly PreviewGroup[];
  readonly owners: readonly PreviewGroup[];
};

export type PreviewSamples = {
  readonly failing: readonly Explanation[];
  readonly passing: readonly Explanation[];
  /** Failing, but one leaf away from passing. */
  readonly nearlyPassing: readonly Explanation[];
};

/** Entities whose verdict changes in one way, and the first of them. */
export type VerdictMove = { readonly count: number; readonly urns: readonly Urn[] };

/** What the definition changes against the verdicts that are stored of a test. */
export type PreviewDifference = {
  /** Passed or was exempt, fails. */
  readonly newlyFailing: VerdictMove;
  /** Failed or was exempt, passes. */
  readonly newlyPassing: VerdictMove;
  /** Was not in scope, is. */
  readonly entering: VerdictMove;
  /** Was in scope, is not. */
  readonly leaving: VerdictMove;
};

/** What actions would write if the definition were saved as it is; entities that are as wanted already are in no number. */
export type PreviewActions = {
  /** Entities that would change. */
  readonly entities: number;
  /** False where counting stopped early, or not everything was looked at: then at least so many would change. */
  readonly isComplete: boolean;
  /** Writes by the id of the action. */
  readonly writes: Readonly<Record<string, number>>;
  /** Values that would be removed although no test added them. */
  readonly removedOfPeople: number;
  /** The first 50 of those entities. */
  readonly sample: readonly {
    readonly entity: Urn;
    readonly verdict: 'PASS' | 'FAIL';
    /** One line for each association: `+` is added, `-` is removed. */
    readonly changes: readonly string[];
  }[];
  /**
   * What it would wait for: `activation`: actions of this meaning were not approved yet; `blast-radius`: more entities would
   * change than a run may change without approval. `undefined`: nothing.
   */
  readonly approval: 'activation' | 'blast-radius' | undefined;
};

/** How the answer was found. `ANCHOR`: rows, and few of them by a mandatory value; `SCAN`: all rows; `CLOSURE`: single entities, too. */
export type PlanClass = 'ANCHOR' | 'SCAN' | 'CLOSURE';

export type PreviewCost = {
  readonly plan: PlanClass;
  /** Entities of the types that were looked at. */
  readonly entities: number;
  /** Of those, the ones that rows could not decide, so that they were evaluated one by one. */
  readonly evaluated: number;
  /** JSON pointers to the nodes that rows cannot answer. */
  readonly beyondRows: readonly string[];
  /** Rough, from before anything was counted. */
  readonly estimatedMilliseconds: number;
  /** What it took, once rows were up to date. */
  readonly milliseconds: number;
};

/** What a definition says of the whole catalogue (metadata-tests specification 3.11); nothing is stored. */
export type Preview = {
  readonly test: Urn | undefined;
  /** MD5 of the text that was previewed. */
  readonly definitionMd5: string;
  /** The newest change of the catalogue when counting began; all changes up to it are counted. */
  readonly sequence: number;
  /** True: the catalogue was not changed while it was counted, so all numbers are of one moment. */
  readonly isOfOneMoment: boolean;
  /** False: the limits were met, and `notLookedAt` entities are in no other number. */
  readonly isComplete: boolean;
  readonly notLookedAt: number;
  readonly counts: PreviewCounts;
  readonly rules: readonly RulePreview[];
  readonly groups: PreviewGroups;
  readonly samples: PreviewSamples;
  /** `undefined` without a stored test to compare with. */
  readonly difference: PreviewDifference | undefined;
  /** `undefined` for a definition that does not act. */
  readonly actions: PreviewActions | undefined;
  readonly cost: PreviewCost;
  /** Warnings of the definition; and what its actions do to those of stored tests, for which it could not be saved. */
  readonly issues: readonly Issue[];
};
