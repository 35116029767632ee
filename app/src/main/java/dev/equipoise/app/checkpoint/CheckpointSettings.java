package dev.equipoise.app.checkpoint;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the module.
 *
 * @param storage where the files are kept
 * @param folder where they are, and all instances of the service on one database must see it; or
 *     where they are written before they are handed over, and each has its own
 * @param largest part that is taken
 * @param keptFree of the folder's disk, which others need too
 * @param s3 null where they are kept in the folder
 */
@ConfigurationProperties("equipoise.checkpoint")
record CheckpointSettings(
        @DefaultValue("folder") Storage storage,
        Path folder,
        @DefaultValue("1GB") DataSize largest,
        @DefaultValue("256MB") DataSize keptFree,
        @Nullable S3Settings s3) {

    /** Where files are kept. */
    enum Storage {
        /** On this machine, or on one whose folder it has mounted. */
        FOLDER,
        /** In a bucket. */
        S3
    }

    CheckpointSettings {
        if (largest.toBytes() < 1 || largest.toBytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "equipoise.checkpoint.largest must be from 1 to %d bytes, but was %d"
                            .formatted(Integer.MAX_VALUE, largest.toBytes()));
        }
        if (keptFree.isNegative()) {
            throw new IllegalArgumentException(
                    "equipoise.checkpoint.kept-free must not be negative, but was " + keptFree);
        }
        if (storage == Storage.S3 && s3 == null) {
            throw new IllegalArgumentException(
                    "equipoise.checkpoint.storage is s3, and equipoise.checkpoint.s3 must tell which");
        }
    }

    /** The one that the settings are of. */
    CheckpointStore store() {
        return storage == Storage.S3 && s3 != null ? S3Store.at(s3) : new FolderStore(folder);
    }
}
