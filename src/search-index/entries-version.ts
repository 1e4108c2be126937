/**
 * The version of what `searchEntryOf` makes of an aspect. To be raised with every change by which stored aspects get other entries:
 * then every store makes its entries anew at its next start (decision 26).
 */
export const entriesVersion = 1;
