import fc from "fast-check";

/** Texts of any code points, lone surrogates too. fast-check's own unit "binary" takes seconds to set up (4.3). */
export const anyText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0x10_ff_ff)))
  .map((points) => String.fromCodePoint(...points));
