package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.model.ModelFileInvalid;
import dev.equipoise.protocol.model.SafetensorsHeader;
import dev.equipoise.protocol.model.TensorEntry;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Model file that arrives from an agent. Its header is read when it is opened; its data are copied
 * behind a header with more metadata.
 */
public final class ModelUpload {

    private static final int SLICE = 1 << 16;

    private final DigestInputStream body;
    private final SafetensorsHeader header;
    private final byte[] claimed;

    private ModelUpload(DigestInputStream body, SafetensorsHeader header, byte[] claimed) {
        this.body = body;
        this.header = header;
        this.claimed = claimed;
    }

    /**
     * Reads the header.
     *
     * @param length size of the file, in bytes
     * @param claimed SHA-256 digest of the file, as its sender states it
     * @throws Problem {@code invalid-request} if it is no model file
     */
    public static ModelUpload open(InputStream body, long length, byte[] claimed)
            throws IOException {
        var digested = new DigestInputStream(body, Digests.sha256());
        try {
            return new ModelUpload(digested, SafetensorsHeader.read(digested, length), claimed);
        } catch (ModelFileInvalid | EOFException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
    }

    /** Returns names and shapes of the tensors. */
    public List<TensorEntry> tensors() {
        return header.tensors();
    }

    /**
     * Returns the size of the file that {@link Models#write} writes, in bytes.
     *
     * @param metadata replaces metadata of the same name
     */
    public long bytesWith(Map<String, String> metadata) {
        return header.with(metadata).toBytes().length + header.dataBytes();
    }

    /**
     * A stored file.
     *
     * @param digest SHA-256 digest, 64 hexadecimal digits
     * @param upload distinguishes this file from those of other uploads
     */
    public record WrittenModel(long bytes, String digest, UUID upload) {}

    /**
     * Writes the file.
     *
     * @param metadata replaces metadata of the same name
     */
    WrittenModel writeTo(UploadFolder folder, ModelFile target, Map<String, String> metadata)
            throws IOException {
        byte[] beginning = header.with(metadata).toBytes();
        long bytes = beginning.length + header.dataBytes();
        MessageDigest digest = Digests.sha256();
        folder.receive(target, bytes, file -> copy(beginning, digest, file));
        return new WrittenModel(bytes, HexFormat.of().formatHex(digest.digest()), target.upload());
    }

    private void copy(byte[] beginning, MessageDigest digest, UploadFolder.TemporaryFile file)
            throws IOException {
        digest.update(beginning);
        file.write(beginning, beginning.length);
        byte[] slice = new byte[SLICE];
        long left = header.dataBytes();
        while (left > 0) {
            int read = body.readNBytes(slice, 0, (int) Math.min(SLICE, left));
            if (read == 0) {
                throw invalid("it ends too early");
            }
            digest.update(slice, 0, read);
            file.write(slice, read);
            left -= read;
        }
        if (!MessageDigest.isEqual(claimed, body.getMessageDigest().digest()) || body.read() >= 0) {
            throw invalid("its bytes do not match its digest");
        }
    }

    private static Problem invalid(String why) {
        return Problem.of(ErrorCode.INVALID_REQUEST, "The body is no model file: " + why);
    }
}
