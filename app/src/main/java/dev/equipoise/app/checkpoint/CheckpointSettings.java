package dev.equipoise.app.checkpoint;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of checkpoints.
 *
 * @param storage store of the files
 * @param folder for storage in a folder, that folder, which all instances of the service on one
 *     database must share; for S3, the folder of each instance in which parts are written before
 *     the upload
 * @param largest limit of a part, from 1B to 2147483647B
 * @param keptFree space of the folder's disk that stays free for others, at least 0B
 * @param s3 bucket; null for storage in the folder
 */
@ConfigurationProperties("equipoise.checkpoint")
record CheckpointSettings(
        @DefaultValue("folder") Storage storage,
        Path folder,
        @DefaultValue("1GB") DataSize largest,
        @DefaultValue("256MB") DataSize keptFree,
        @NestedConfigurationProperty @Nullable S3Settings s3) {

    /** Store of the files. */
    enum Storage {
        /** Local or mounted folder. */
        FOLDER,
        /** Bucket of S3 or a compatible service. */
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
                    "equipoise.checkpoint.storage is s3, so equipoise.checkpoint.s3 must be set");
        }
    }

    /** Creates the store. */
    CheckpointStore store() {
        return storage == Storage.S3 && s3 != null ? S3Store.at(s3) : new FolderStore(folder);
    }
}
