package io.parex.protocol.link;

import io.parex.protocol.Frame;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Notes what a link tells, payload copied while it is valid. */
final class RecordingUser implements LinkUser {
    /** Everything in the order told, in words; frames of data as {@code data transfer offset+bytes}. */
    final List<String> told = new ArrayList<>();

    /** Control frames. */
    final List<Frame> frames = new ArrayList<>();

    final List<String> returned = new ArrayList<>();
    final List<String> closes = new ArrayList<>();
    private final Map<Long, ByteArrayOutputStream> tensors = new TreeMap<>();

    @Override
    public void onFrame(Frame frame) {
        if (frame instanceof Frame.Data data) {
            ByteArrayOutputStream tensor = tensors.computeIfAbsent(data.transfer(), any -> new ByteArrayOutputStream());
            if (data.offset() != tensor.size()) {
                throw new AssertionError("transfer " + data.transfer() + " goes on at " + data.offset() + " after "
                        + tensor.size() + " bytes");
            }
            tensor.writeBytes(data.payload().segment().toArray(ValueLayout.JAVA_BYTE));
            told.add("data " + data.transfer() + " " + data.offset() + "+"
                    + data.payload().segment().byteSize());
        } else {
            frames.add(frame);
            told.add(frame.toString());
        }
    }

    @Override
    public void onReturned(long transfer, long bytes) {
        returned.add(transfer + " " + bytes);
        told.add("returned " + transfer + " " + bytes);
    }

    @Override
    public void onClosed(String reason) {
        closes.add(reason);
        told.add("closed " + reason);
    }

    /** What has come of a transfer. */
    byte[] tensor(long transfer) {
        ByteArrayOutputStream tensor = tensors.get(transfer);
        return tensor == null ? new byte[0] : tensor.toByteArray();
    }
}
