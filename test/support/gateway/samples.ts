/** Valid pictures of 8 x 8 pixels in the other types an image file may have. */
export const samples: Readonly<Record<"jpeg" | "webp", Buffer>> = {
  jpeg: Buffer.from(
    [
      "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6j",
      "q62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk",
      "pKSkpKSkpKT/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA",
      "FAEBAAAAAAAAAAAAAAAAAAAABP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJQCRH//2Q==",
    ].join(""),
    "base64",
  ),
  webp: Buffer.from(
    ["UklGRjAAAABXRUJQVlA4ICQAAACQAQCdASoIAAgABABoJaACdLoAA5gA/uQBeRSLGVviF3sKoAA="].join(""),
    "base64",
  ),
};
