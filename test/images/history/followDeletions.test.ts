import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { followDeletions } from "../../../src/images/history/followDeletions.ts";

describe("deletions beside images", () => {
  const images = ["file:///w/images/fox.png", "file:///w/images/sea/owl.png"];

  /** Follows deletions until the next turn of the timers, and counts how often the images and the disk are looked at. */
  async function follow(
    deleted: readonly string[],
    isDisposed = false,
  ): Promise<readonly [read: number, gone: number]> {
    let [read, gone] = [0, 0];
    let tell = (uri: string): void => assert.fail(uri);
    const follower = followDeletions({
      onDidDelete: (listener) => {
        tell = listener;
        return { dispose: () => (tell = () => undefined) };
      },
      files: () => {
        read += 1;
        return images;
      },
      onGone: () => (gone += 1),
      delay: 1,
    });
    for (const uri of deleted) tell(uri);
    if (isDisposed) follower.dispose();
    await setTimeout(20);
    follower.dispose();
    return [read, gone];
  }

  it("are looked at together, and never on the disk", async () => {
    const others = Array.from({ length: 5_000 }, (_, index) => `file:///w/out/${index}.js`);
    assert.deepEqual(await follow([...others, "file:///w/images/fox.pn", "file:///w/imag"]), [1, 0]);
  });

  for (const uri of [...images, "file:///w/images/sea", "file:///w/images", "file:///W/Images/Fox.png"]) {
    it(`lead to a look at the disk if ${uri} is among them`, async () => {
      assert.deepEqual(await follow(["file:///w/a.js", uri, "file:///w/b.js"]), [1, 1]);
    });
  }

  it("do nothing once the view is gone", async () => {
    assert.deepEqual(await follow(images, true), [0, 0]);
  });
});
