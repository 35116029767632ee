package dev.equipoise.app.checkpoint;

import dev.equipoise.app.problem.ErrorCode;
import dev.equipoise.app.problem.Problem;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.checkpoint.CheckpointHeader;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Receives checkpoint parts, one at a time of each rank, and checks their digests. */
@Component
class CheckpointUploads {

    private static final int SLICE = 1 << 16;

    private final UploadFolder folder;
    private final Set<Sender> senders = ConcurrentHashMap.newKeySet();

    /** Rank that uploads its parts one after the other. */
    private record Sender(RunId run, int generation, int rank) {}

    CheckpointUploads(UploadFolder folder) {
        this.folder = folder;
    }

    /**
     * Receives a part whose header was read already.
     *
     * @param rest content after the header
     * @throws Problem {@code invalid-request} if the part is incomplete, {@code no-room} if it
     *     cannot be written, {@code illegal-state} if the rank is sending another part
     */
    void receive(CheckpointHeader header, InputStream rest) throws IOException {
        Sender sender = admit(header);
        try {
            folder.receive(
                    CheckpointPart.of(header),
                    header.fileBytes(),
                    file -> copy(header, rest, file));
        } finally {
            senders.remove(sender);
        }
    }

    private Sender admit(CheckpointHeader header) {
        var sender = new Sender(header.run(), header.generation(), header.rank());
        if (!senders.add(sender)) {
            throw Problem.of(
                    ErrorCode.ILLEGAL_STATE,
                    "Rank %d of run %s is already sending a part: send one at a time"
                            .formatted(sender.rank(), sender.run()));
        }
        return sender;
    }

    private static void copy(
            CheckpointHeader header, InputStream rest, UploadFolder.TemporaryFile file)
            throws IOException {
        MessageDigest digest = Digests.sha256();
        byte[] beginning = header.toBytes();
        digest.update(beginning);
        file.write(beginning, beginning.length);
        byte[] slice = new byte[SLICE];
        long left = header.fileBytes() - CheckpointHeader.BYTES - CheckpointHeader.DIGEST_BYTES;
        while (left > 0) {
            int read = rest.readNBytes(slice, 0, (int) Math.min(SLICE, left));
            requireMore(read);
            digest.update(slice, 0, read);
            file.write(slice, read);
            left -= read;
        }
        byte[] digestOfSender = rest.readNBytes(CheckpointHeader.DIGEST_BYTES);
        if (!MessageDigest.isEqual(digestOfSender, digest.digest()) || rest.read() >= 0) {
            throw invalid("its bytes do not match its digest");
        }
        file.write(digestOfSender, digestOfSender.length);
    }

    private static void requireMore(int read) {
        if (read == 0) {
            throw invalid("it ends too early");
        }
    }

    private static Problem invalid(String why) {
        return Problem.of(ErrorCode.INVALID_REQUEST, "The checkpoint is incomplete: " + why);
    }

    /**
     * Removes unfinished uploads and files of earlier versions, and no other file of the folder.
     *
     * @param before time after whose last write a file is left alone
     * @return number of removed files
     */
    int removeLeftOver(Instant before) throws IOException {
        return folder.removeLeftOver(before);
    }
}
