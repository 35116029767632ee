package dev.equipoise.agent.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/*
 * An ONNX file needs four kinds of fields, and its tensors must not be copied into a message as
 * the generated classes of protobuf-java do.
 */
/** Message of protocol buffers, written field by field. */
final class ProtoMessage {

    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;
    private static final int TYPE_BITS = 3;
    private static final int VARINT_BITS = 7;
    private static final int CONTINUED = 1 << VARINT_BITS;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Adds an integer, a boolean or an enum. */
    ProtoMessage number(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    ProtoMessage text(int field, String text) {
        return bytes(field, text.getBytes(UTF_8));
    }

    ProtoMessage message(int field, ProtoMessage message) {
        return bytes(field, message.toBytes());
    }

    ProtoMessage bytes(int field, byte[] value) {
        start(field, value.length);
        bytes.writeBytes(value);
        return this;
    }

    /** Begins a field whose bytes follow this message. */
    ProtoMessage start(int field, long length) {
        tag(field, LENGTH_DELIMITED);
        varint(length);
        return this;
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    int size() {
        return bytes.size();
    }

    private void tag(int field, int type) {
        varint(((long) field << TYPE_BITS) | type);
    }

    private void varint(long value) {
        long rest = value;
        while (Long.compareUnsigned(rest, CONTINUED) >= 0) {
            bytes.write((int) (rest & (CONTINUED - 1)) | CONTINUED);
            rest >>>= VARINT_BITS;
        }
        bytes.write((int) rest);
    }
}
