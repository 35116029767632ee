package dev.equipoise.app.checkpoint;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.equipoise.app.Answer;
import dev.equipoise.app.TestingClient;
import dev.equipoise.protocol.AssignmentId;
import dev.equipoise.protocol.ContentDigest;
import dev.equipoise.protocol.ModelScore;
import dev.equipoise.protocol.model.ModelStream;
import dev.equipoise.protocol.model.ModelTensors;
import dev.equipoise.protocol.network.Architecture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;

/** Model files with arbitrary weights, and their uploads. */
public final class TestingModels {

    private TestingModels() {}

    /** Creates the file of a network, as an agent sends it. */
    public static byte[] file(Architecture network, float first) {
        MemorySegment weights = Arena.ofAuto().allocate(JAVA_FLOAT, network.parameterCount());
        for (int i = 0; i < network.parameterCount(); i++) {
            weights.setAtIndex(JAVA_FLOAT, i, first + i);
        }
        try (var stream =
                new ModelStream(Map.of("format", "pt"), ModelTensors.of(network), weights)) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Uploads a file as the worker of a rank. */
    public static Answer upload(
            TestingClient agent, AssignmentId assignment, int rank, ModelScore score, byte[] file) {
        return upload(agent, assignment, rank, score, file, sha256(file));
    }

    /** Uploads a file with a stated digest. */
    public static Answer upload(
            TestingClient agent,
            AssignmentId assignment,
            int rank,
            ModelScore score,
            byte[] file,
            byte[] digest) {
        return agent.withHeader(ContentDigest.HEADER, ContentDigest.of(digest))
                .put(path(assignment, rank, score), file);
    }

    public static String path(AssignmentId assignment, int rank, ModelScore score) {
        return "/assignments/%s/model/%d?rank=%d&accuracy=%s&loss=%s"
                .formatted(assignment, score.epoch(), rank, score.accuracy(), score.loss());
    }
}
