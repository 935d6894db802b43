// Windows too narrow for a column beside the picture: there the dials are in a sheet at the lower edge.

/** The media query; the style sheets use the same width. */
export const NARROW_QUERY = "(max-width: 68rem)";
