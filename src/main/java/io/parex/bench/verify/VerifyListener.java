package io.parex.bench.verify;

import java.util.List;

/** Hears of a run as it goes on; called on the thread that runs it. */
public interface VerifyListener {

    /** So many checks are over, and the next is this one. */
    void progress(long done, Check next);

    /** A check does not hold. */
    void failed(Check check, List<String> faults);
}
