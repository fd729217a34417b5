/* complete_texts.h — the scripts complete.bash, complete.zsh and complete.fish as texts. */
#pragma once

extern const char complete_bash_text[], complete_zsh_text[], complete_fish_text[];
