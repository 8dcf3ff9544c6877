package io.parex.tensor;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** How elements lie in memory: little endian at any byte offset, whatever the machine. */
final class Layouts {
    static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    static final ValueLayout.OfByte INT8 = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort INT16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ORDER);
    static final ValueLayout.OfInt INT32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ORDER);
    static final ValueLayout.OfLong INT64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ORDER);
    static final ValueLayout.OfFloat FLOAT32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ORDER);
    static final ValueLayout.OfDouble FLOAT64 = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ORDER);

    private Layouts() {}
}
