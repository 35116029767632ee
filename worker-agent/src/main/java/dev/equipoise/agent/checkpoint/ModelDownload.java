package dev.equipoise.agent.checkpoint;

import dev.equipoise.agent.checkpoint.CheckpointReader.Corrupt;
import dev.equipoise.protocol.model.ModelFileInvalid;
import dev.equipoise.protocol.model.ModelReader;
import dev.equipoise.protocol.model.ModelTensor;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.security.DigestInputStream;
import java.util.HexFormat;
import java.util.List;

/** Reads a model file into the weights of a network, and verifies it. */
public final class ModelDownload {

    private final List<ModelTensor> tensors;
    private final String digest;

    /**
     * @param tensors of the network
     * @param digest SHA-256 digest of the file, 64 hexadecimal digits
     */
    public ModelDownload(List<ModelTensor> tensors, String digest) {
        this.tensors = List.copyOf(tensors);
        this.digest = digest;
    }

    /**
     * Overwrites the weights; after a failure their content is undefined.
     *
     * @param bytes size of the file
     * @return the weights
     * @throws Corrupt when the stream holds another file
     */
    public MemorySegment read(InputStream stream, long bytes, MemorySegment weights)
            throws IOException {
        var digested = new DigestInputStream(stream, Digests.sha256());
        try {
            ModelReader.open(digested, bytes).readInto(tensors, weights);
        } catch (ModelFileInvalid e) {
            throw new Corrupt(String.valueOf(e.getMessage()));
        }
        if (stream.read() >= 0
                || !HexFormat.of().formatHex(digested.getMessageDigest().digest()).equals(digest)) {
            throw new Corrupt("the SHA-256 digest does not match its bytes");
        }
        return weights;
    }
}
