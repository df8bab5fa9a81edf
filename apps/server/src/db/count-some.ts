/**
 * What answers of constant cost count up to: a count of a hundred stands for a hundred or more, so that no count reads
 * more rows than that.
 */
export const maxCounted = 100
