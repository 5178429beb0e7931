/** A condition on the labels of a host, which selects hosts. */
export type LabelExpression =
  /** The host has the label, with any value or without one. */
  | { readonly kind: "has"; readonly key: string }
  /** The host has the label with this value. */
  | { readonly kind: "is"; readonly key: string; readonly value: string }
  | { readonly kind: "not"; readonly of: LabelExpression }
  | { readonly kind: "all"; readonly of: readonly LabelExpression[] }
  | { readonly kind: "any"; readonly of: readonly LabelExpression[] };
