package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import org.hibernate.annotations.BatchSize;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/**
 * The set of workers that a worker sees in the Hazelcast cluster. All workers of one cluster share
 * one row: with hundreds of workers the set is larger than all other data of a worker.
 */
@Entity
@Table(name = "sight")
@Immutable
@BatchSize(size = 100)
class ClusterView {

    private static final int BYTES_OF_AN_ID = 2 * Long.BYTES;

    @Id private String digest;

    @JdbcTypeCode(SqlTypes.JSON)
    private Set<WorkerId> workers;

    @SuppressWarnings("NullAway.Init") // for Hibernate, which fills the fields
    protected ClusterView() {}

    private ClusterView(String digest, Set<WorkerId> workers) {
        this.digest = digest;
        this.workers = workers;
    }

    static ClusterView of(Set<WorkerId> workers) {
        ByteBuffer ids = ByteBuffer.allocate(workers.size() * BYTES_OF_AN_ID);
        workers.stream()
                .map(WorkerId::value)
                .sorted()
                .forEach(id ->
                        ids.putLong(id.getMostSignificantBits())
                                .putLong(id.getLeastSignificantBits()));
        return new ClusterView(digest(ids.array()), Set.copyOf(workers));
    }

    private static String digest(byte[] ids) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(ids));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the Java platform lacks SHA-256", e);
        }
    }

    String digest() {
        return digest;
    }

    /** The shared, immutable set: all workers with this view get the same object. */
    Set<WorkerId> workers() {
        workers = Set.copyOf(workers);
        return workers;
    }
}
