package dev.equipoise.app.file;

import org.springframework.util.unit.DataSize;

/**
 * Space of a disk.
 *
 * @param freeBytes bytes that the service may still write
 */
public record DiskSpace(long freeBytes) {

    boolean isBelow(DataSize least) {
        return freeBytes < least.toBytes();
    }
}
