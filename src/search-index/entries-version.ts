/**
 * The version of what is derived of an aspect: its search entry, and edges, placements and fragments. To be raised with every change by
 * which stored aspects get others: then every store makes them anew at its next start (decision 26).
 */
export const entriesVersion = 4;
