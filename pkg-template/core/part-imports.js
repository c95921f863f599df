/** What the first load and the module use of the parts' scripts: undefined until those are loaded. */
export let FieldForm, FrameGuard, localJournal, Lock, matches, releaseLocks, TransferAttempt;

export function bindPart(part) {
  ({ FieldForm = FieldForm, FrameGuard = FrameGuard, localJournal = localJournal, Lock = Lock } = part);
  ({ matches = matches, releaseLocks = releaseLocks, TransferAttempt = TransferAttempt } = part);
}
