package dev.equipoise.protocol.dataset;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A published file. MD5 is the checksum that was published; it guards against damage, not against
 * malice.
 *
 * @param name name of the unpacked file
 * @param md5 MD5 digest of the unpacked content
 * @param md5OfPacked MD5 digest of the published gzip file, if there is one
 */
public record PublishedFile(String name, String md5, @Nullable String md5OfPacked) {

    static PublishedFile raw(String name, String md5) {
        return new PublishedFile(name, md5, null);
    }

    /** Returns whether a checksum is that of the published gzip file. */
    public boolean isPackedAs(String found) {
        return Optional.ofNullable(md5OfPacked).filter(found::equals).isPresent();
    }
}
