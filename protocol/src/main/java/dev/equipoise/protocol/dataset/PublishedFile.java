package dev.equipoise.protocol.dataset;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file as it was published. MD5 because that is what was published with it; it guards against
 * damage, not against malice.
 *
 * @param name unpacked
 * @param md5 of the content, unpacked
 * @param md5OfPacked of the published gzip file, where there is one
 */
public record PublishedFile(String name, String md5, @Nullable String md5OfPacked) {

    static PublishedFile raw(String name, String md5) {
        return new PublishedFile(name, md5, null);
    }

    /** Whether a file has the checksum of the published gzip file. */
    public boolean isPackedAs(String found) {
        return Optional.ofNullable(md5OfPacked).filter(found::equals).isPresent();
    }
}
