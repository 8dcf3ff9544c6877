package io.parex.service;

import com.google.protobuf.ByteString;
import io.parex.ParexException;
import io.parex.world.Completion;

/** How one {@link Operation} reaches its client. Called in the mailbox of the client's stream only. */
interface Outlet {

    /**
     * There is output to send, or more credit for it: {@link Operation#pump} is to be called when the stream takes
     * more.
     */
    void outputReady(Operation operation);

    /** The next bytes of the output. They must be written out before this returns: their memory is used again. */
    void chunk(ByteString data);

    /** The client may have sent {@code limit} bytes of input in all. */
    void inputRoom(long limit);

    /** The operation has ended well, after all of its output. Nothing follows. */
    void completed(Completion completion);

    /** The operation has failed. Nothing follows. */
    void failed(ParexException failure);
}
