package dev.equipoise.wrong.partition;

import org.springframework.stereotype.Component;

@Component
class Entangled {}
