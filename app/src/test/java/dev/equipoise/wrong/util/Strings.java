package dev.equipoise.wrong.util;

class Strings {}
