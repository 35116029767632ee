package dev.equipoise.app.file;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the disk of the data folder.
 *
 * @param keptFree free space below which the service takes no new work, at least 0B; less than
 *     checkpoints keep free, so that these stop first
 */
@ConfigurationProperties("equipoise.disk")
record DiskSettings(@DefaultValue("128MB") DataSize keptFree) {

    DiskSettings {
        if (keptFree.isNegative()) {
            throw new IllegalArgumentException(
                    "equipoise.disk.kept-free must not be negative, but was " + keptFree);
        }
    }
}
