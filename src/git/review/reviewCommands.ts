import type { Reviews } from "./reviews.ts";

/** What the commands for reviews need. */
export interface ReviewCommandServices {
  readonly reviews: Reviews;
}

type Command = (services: ReviewCommandServices, argument?: unknown) => Promise<void> | void;

/** The commands for reviews. A button passes its `SourceControl`, its thread, or the id of its finding. */
export const reviewCommands = {
  reviewChanges: ({ reviews }, argument) => reviews.run(argument),
  "review.fix": ({ reviews }, argument) => reviews.fix(argument),
  "review.dismiss": ({ reviews }, argument) => {
    reviews.dismiss(argument);
  },
  "review.next": ({ reviews }, argument) => reviews.next(argument),
  "review.showSummary": ({ reviews }) => reviews.showSummary(),
  "review.clear": ({ reviews }) => {
    reviews.clear();
  },
} satisfies Record<string, Command>;
