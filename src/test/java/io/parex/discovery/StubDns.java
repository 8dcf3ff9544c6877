package io.parex.discovery;

import io.netty.util.NetUtil;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A name server on loopback that says what a test wants, over UDP and TCP. A name with records of one type has none of
 * the other; every other name does not exist.
 */
public final class StubDns implements AutoCloseable {
    /** The type of records with IPv4 addresses. */
    public static final int A = 1;

    /** The type of records with IPv6 addresses. */
    public static final int AAAA = 28;

    static final int SERVFAIL = 2;
    static final int REFUSED = 5;

    private static final int PORT = 53;
    private static final int NXDOMAIN = 3;
    private static final int MAX_PACKET = 512;

    private final DatagramSocket udp;
    private final ServerSocket tcp;
    private final Map<String, Reply> replies = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Held> held = new ConcurrentLinkedQueue<>();

    /** One at a port of its choice. */
    StubDns() {
        this(InetAddress.getLoopbackAddress(), 0);
    }

    /** One for other processes, which ask at an address of this host and the port of the protocol: for root only. */
    public static StubDns at(InetAddress address) {
        return new StubDns(address, PORT);
    }

    private StubDns(InetAddress address, int port) {
        try {
            tcp = new ServerSocket(port, 8, address);
            udp = new DatagramSocket(new InetSocketAddress(address, tcp.getLocalPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("stub-dns-udp").start(() -> serve(this::answerUdp));
        Thread.ofVirtual().name("stub-dns-tcp").start(() -> serve(this::answerTcp));
    }

    InetSocketAddress address() {
        return new InetSocketAddress(tcp.getInetAddress(), udp.getLocalPort());
    }

    /** Gives {@code name} addresses, all of one family; names are absolute, without the last dot. */
    public StubDns answer(String name, int ttlSeconds, String... literals) {
        List<byte[]> addresses = Arrays.stream(literals)
                .map(literal -> parse(literal).getAddress())
                .toList();
        int type = addresses.getFirst().length == 4 ? A : AAAA;
        return reply(name, type, new Reply(Kind.ANSWER, 0, ttlSeconds, addresses));
    }

    StubDns refuse(String name, int type, int code) {
        return reply(name, type, new Reply(Kind.ANSWER, code, 0, List.of()));
    }

    /** Changes how the reply to a question travels. */
    StubDns as(String name, int type, Kind kind) {
        Reply old = replies.getOrDefault(key(name, type), new Reply(kind, NXDOMAIN, 0, List.of()));
        return reply(name, type, new Reply(kind, old.code, old.ttlSeconds, old.addresses));
    }

    StubDns forget(String name) {
        replies.remove(key(name, A));
        replies.remove(key(name, AAAA));
        return this;
    }

    private StubDns reply(String name, int type, Reply reply) {
        replies.put(key(name, type), reply);
        return this;
    }

    /** How often a question was asked over UDP. */
    public long asked(String name, int type) {
        return asked.stream().filter(key(name, type)::equals).count();
    }

    /** The names asked for, in order, each once in a row. */
    List<String> names() {
        return asked.stream().map(key -> key.split(" ")[0]).distinct().toList();
    }

    /** Answers the questions of kind {@code HELD} that have come so far. */
    void release() throws IOException {
        for (Held question = held.poll(); question != null; question = held.poll()) {
            send(question.from, packet(question.question, question.reply, false));
        }
    }

    private void answerUdp() throws IOException {
        DatagramPacket in = new DatagramPacket(new byte[MAX_PACKET], MAX_PACKET);
        udp.receive(in);
        Question question = Question.parse(in.getData(), in.getLength());
        asked.add(key(question.name, question.type));
        Reply reply = find(question);
        switch (reply.kind) {
            case ANSWER -> send(in.getSocketAddress(), packet(question, reply, false));
            case TRUNCATED -> send(in.getSocketAddress(), packet(question, reply, true));
            case GARBAGE -> send(in.getSocketAddress(), garbage(question));
            case GARBAGE_FIRST -> {
                send(in.getSocketAddress(), garbage(question));
                send(in.getSocketAddress(), packet(question, reply, false));
            }
            case HELD -> held.add(new Held(question, in.getSocketAddress(), reply));
            case SILENT -> {}
        }
    }

    private void answerTcp() throws IOException {
        try (Socket socket = tcp.accept()) {
            socket.setSoTimeout(2_000);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] query = in.readNBytes(in.readUnsignedShort());
            Question question = Question.parse(query, query.length);
            byte[] answer = packet(question, find(question), false);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeShort(answer.length);
            out.write(answer);
            out.flush();
            // Until the other end has it: it closes.
            in.read();
        }
    }

    private Reply find(Question question) {
        Reply reply = replies.get(key(question.name, question.type));
        if (reply != null) {
            return reply;
        }
        boolean exists = replies.containsKey(key(question.name, A)) || replies.containsKey(key(question.name, AAAA));
        return new Reply(Kind.ANSWER, exists ? 0 : NXDOMAIN, 0, List.of());
    }

    private void send(SocketAddress to, byte[] bytes) throws IOException {
        udp.send(new DatagramPacket(bytes, bytes.length, to));
    }

    private static byte[] packet(Question question, Reply reply, boolean truncated) {
        return question.answer(truncated, reply.code, reply.ttlSeconds, truncated ? List.of() : reply.addresses);
    }

    /** The right number, so that it gets as far as it can, and then nothing that can be read. */
    private static byte[] garbage(Question question) {
        byte[] bytes = new byte[40];
        Arrays.fill(bytes, (byte) 0xEE);
        bytes[0] = question.bytes[0];
        bytes[1] = question.bytes[1];
        return bytes;
    }

    private static InetAddress parse(String literal) {
        return NetUtil.createInetAddressFromIpAddressString(literal);
    }

    private static String key(String name, int type) {
        return name.toLowerCase(Locale.ROOT) + " " + type;
    }

    private void serve(Turn turn) {
        while (!udp.isClosed()) {
            try {
                turn.run();
            } catch (SocketException e) {
                // Closed, or a client that went away.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
    }

    /** From now on every question about {@code name} goes unanswered, as where a firewall drops it. */
    public StubDns silence(String name) {
        return as(name, A, Kind.SILENT).as(name, AAAA, Kind.SILENT);
    }

    /** How a reply travels. */
    enum Kind {
        ANSWER,
        TRUNCATED,
        GARBAGE,
        GARBAGE_FIRST,
        HELD,
        SILENT
    }

    private record Reply(Kind kind, int code, int ttlSeconds, List<byte[]> addresses) {}

    private record Held(Question question, SocketAddress from, Reply reply) {}

    @FunctionalInterface
    private interface Turn {
        void run() throws IOException;
    }

    /** The one question of a packet, and answers to it. */
    private record Question(byte[] bytes, String name, int type) {
        private static final int HEADER = 12;

        static Question parse(byte[] packet, int length) {
            StringJoiner name = new StringJoiner(".");
            int at = HEADER;
            while (packet[at] != 0) {
                name.add(new String(packet, at + 1, packet[at], StandardCharsets.US_ASCII));
                at += 1 + packet[at];
            }
            int type = (packet[at + 1] & 0xFF) << 8 | packet[at + 2] & 0xFF;
            return new Question(Arrays.copyOf(packet, Math.min(length, at + 5)), name.toString(), type);
        }

        byte[] answer(boolean truncated, int code, int ttlSeconds, List<byte[]> addresses) {
            ByteBuffer out = ByteBuffer.allocate(MAX_PACKET);
            out.put(bytes, 0, 2);
            out.putShort((short) (0x8180 | (truncated ? 0x0200 : 0) | code));
            out.putShort((short) 1).putShort((short) addresses.size()).putInt(0);
            out.put(bytes, HEADER, bytes.length - HEADER);
            for (byte[] address : addresses) {
                // The name is that of the question.
                out.putShort((short) (0xC000 | HEADER)).putShort((short) type).putShort((short) 1);
                out.putInt(ttlSeconds).putShort((short) address.length).put(address);
            }
            return Arrays.copyOf(out.array(), out.position());
        }
    }
}
