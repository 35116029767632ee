package dev.equipoise.app.file;

import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DiskSettings.class)
class FileConfiguration {

    @Bean
    DataDisk dataDisk(@Value("${equipoise.data}") Path data) {
        return new FolderDisk(data);
    }
}
