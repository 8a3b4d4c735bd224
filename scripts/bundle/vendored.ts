/** Third-party code in a folder of an npm package. */
export interface VendoredPart {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly license: string;
  readonly purl: string;
  /** The folder in the package, with slashes. */
  readonly folder: string;
  /** The license text, if the package does not contain it. */
  readonly text?: string;
}

/**
 * Third-party code that package.json does not mention, by reviewed package version; a new version must be reviewed
 * again. undici names the version of llhttp in its repository (deps/llhttp/include/llhttp.h). Its
 * other parser, milo, is not bundled (esbuild.mjs).
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
        ],
      },
    ],
  ]);
