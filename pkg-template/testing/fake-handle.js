import { bindFirstLoad as bindForCards } from "../card/card-imports.js";
import { CoreHandle } from "../module/core-handle.js";
import { standardFailure } from "../errors/errors.js";
import { FIRST_LOAD } from "../module/first-load.js";
import { bindFirstLoad as bindForTransfers } from "../transfer/transfer-imports.js";

bindForCards(FIRST_LOAD);
bindForTransfers(FIRST_LOAD);

const INSTANCE = {
  run: (work) => work(),
  untilCrash: async (work) => work(),
  onCrash: () => () => {},
  explain: (error) => error,
};

/** A kit's handle over a scripted core. What a test returns or throws stays as it is. */
export class FakeHandle extends CoreHandle {
  constructor(core) {
    super(INSTANCE, core, { source: {} });
  }

  call(work, options) {
    // A fake has no parts to load.
    const unlessAborted = (core, signal) => {
      if (signal?.aborted) throw standardFailure("Aborted");
      return work(core, signal);
    };
    return super.call(unlessAborted, options);
  }

  translate(error) {
    return error;
  }

  translateProblems(problems) {
    return problems;
  }
}
