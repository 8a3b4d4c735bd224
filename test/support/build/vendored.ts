/** Somebody else's code that an npm package brings along in a folder of its own. */
export interface VendoredPart {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly license: string;
  readonly purl: string;
  /** The folder in the package, with slashes. */
  readonly folder: string;
  /** The license text where the package does not bring it along. */
  readonly text?: string;
}

/**
 * What packages bring along that no package.json tells, by the exact version that was looked at: a new one has to be
 * looked at again. undici has the version of llhttp in its repository (deps/llhttp/include/llhttp.h) and that of milo in
 * lib/milo/no-simd.js.
 */
export const vendored: ReadonlyMap<string, { readonly version: string; readonly parts: readonly VendoredPart[] }> =
  new Map([
    [
      "undici",
      {
        version: "8.12.4",
        parts: [
          {
            name: "llhttp",
            version: "9.3.1",
            license: "MIT",
            purl: "pkg:github/nodejs/llhttp@v9.3.1",
            folder: "lib/llhttp",
            text: `This software is licensed under the MIT License.

Copyright Fedor Indutny, 2018.

Permission is hereby granted, free of charge, to any person obtaining a
copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included
in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS
OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN
NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE
USE OR OTHER DEALINGS IN THE SOFTWARE.`,
          },
          {
            name: "milo",
            version: "0.9.0",
            license: "ISC",
            purl: "pkg:github/ShogunPanda/milo@v0.9.0",
            folder: "lib/milo",
          },
        ],
      },
    ],
  ]);
